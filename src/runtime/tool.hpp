// The attached tool and the join policy in force, if any. Without both, each event costs one load and one
// branch.
#pragma once

#include <optional>

#include "anyorder/detail/finish_scope.hpp"
#include "anyorder/detail/task.hpp"
#include "anyorder/options.hpp"
#include "deadlock/listener.hpp"
#include "deadlock/policy.hpp"
#include "events/listener.hpp"

namespace anyorder::runtime {

// All of these are set before the first task operation, or while nothing is alive.

// Null without a tool. Set by attach().
inline constinit events::Listener* attached_listener = nullptr;
// Null: off.
inline constinit deadlock::Policy* join_policy_in_force = nullptr;
// Whether there is one of the two, or has been a policy: some of its words may still be in records.
inline constinit bool followed = false;

inline void attach(events::Listener* listener) {
  attached_listener = listener;
  followed = listener != nullptr || join_policy_in_force != nullptr;
}

// Who is told of what a policy finds; null: only the task that gets the exception.
inline constinit deadlock::JoinListener* attached_join_listener = nullptr;
// The policy that the tool needs, whatever the program asks for.
inline constinit std::optional<deadlock::PolicyName> required_join_policy;
// The executor that the tool needs, whatever the program or its user asks for. Set with the listener.
inline constinit std::optional<executor> required_executor;

inline events::SourceSite to_event(const source_site& site) noexcept {
  return {site.file, site.function, site.line};
}
inline events::TaskKind to_event(detail::TaskKind kind) noexcept {
  switch (kind) {
    case detail::TaskKind::root:
      return events::TaskKind::root;
    case detail::TaskKind::future:
      return events::TaskKind::future;
    default:
      return events::TaskKind::async;
  }
}

// The word of a scope for the join policy; null for that of a thread, after whose end nobody asks.
inline deadlock::FinishWord* join_word(detail::FinishScope& scope) noexcept {
  return scope.depth == 0 ? nullptr : &scope.joins;
}

void tell_created(detail::Task& parent, detail::Task& child, detail::LoopTask* rest_of);
void tell_ended(detail::Task& task);
void tell_forgotten(detail::Task& task);

inline void created(detail::Task& parent, detail::Task& child, detail::LoopTask* rest_of) {
  if (followed) [[unlikely]]
    tell_created(parent, child, rest_of);
}
inline void begun(detail::Task& task) {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->task_begun(task.tool);
}
inline void ended(detail::Task& task) {
  if (followed) [[unlikely]]
    tell_ended(task);
}
inline void resumed(detail::Task& task) {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->task_resumed(task.tool);
}
inline void forget(detail::Task& task) {
  if (followed) [[unlikely]]
    tell_forgotten(task);
}

}  // namespace anyorder::runtime
