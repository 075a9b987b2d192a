// The attached tool, if any. Without one, each event costs one load and one branch.
#pragma once

#include <optional>

#include "anyorder/detail/finish_scope.hpp"
#include "anyorder/detail/task.hpp"
#include "anyorder/options.hpp"
#include "events/listener.hpp"

namespace anyorder::runtime {

// Null without a tool. Set before the first task operation, or while nothing is alive.
inline constinit events::Listener* attached_listener = nullptr;
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

inline void created(detail::Task& parent, detail::Task& child) {
  if (attached_listener != nullptr) [[unlikely]] {
    attached_listener->task_created(parent.tool, child.tool, child.finish->tool, to_event(child.ops->kind),
                                    to_event(child.site));
  }
}
inline void begun(detail::Task& task) {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->task_begun(task.tool);
}
inline void ended(detail::Task& task) {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->task_ended(task.tool);
}
inline void resumed(detail::Task& task) {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->task_resumed(task.tool);
}
inline void forget(detail::Task& task) {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->task_forgotten(task.tool);
}

}  // namespace anyorder::runtime
