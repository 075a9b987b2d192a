// What a serial detector knows of the order of tasks: how one that was seen before stands to the one that
// runs. This is all that the history of accesses asks a detector for.
#pragma once

#include <concepts>
#include <cstdint>

#include "detect/history/ids.hpp"
#include "events/listener.hpp"

namespace anyorder::detect::history {

// How an earlier task stands to the one that runs.
enum class Relation : std::uint8_t {
  unknown,
  precedes,
  stands,   // may run in parallel, and stands for later readers: whatever they race with races with it, too
  parallel  // may run in parallel, and does not
};

// Tasks are numbered as they are created, and events come in serial depth-first order: of a task only that
// runs, which is the one created last that has not ended, is something created or joined.
template <class O>
concept Order = requires(O& order, const O& known, TaskId task, std::uint32_t created_at,
                         typename O::Moment moment) {
  { order.begin_root() } -> std::same_as<TaskId>;
  // `created_at` is kept for the caller.
  { order.create(task, events::TaskKind::async, created_at) } -> std::same_as<TaskId>;
  { order.end(task) } -> std::same_as<void>;
  // The first one waits for the tasks from the second up to, not including, the third, which have ended.
  { order.join(task, task, task) } -> std::same_as<void>;

  // Never unknown; and the same, unless that would take long.
  { order.relation_of(task) } -> std::same_as<Relation>;
  { order.relation_at_once(task) } -> std::same_as<Relation>;
  // Whether it precedes all that is still to come.
  { order.is_over(task) } -> std::same_as<bool>;
  // What tells this point of the run from others with other relations, for later questions; ordered by time.
  requires std::totally_ordered<typename O::Moment>;
  { order.moment() } -> std::same_as<typename O::Moment>;
  // Whether all that the first did precedes what the second did up to a moment at which that one ran; true
  // also if the first ran then, around the second or as the second itself. May be slow.
  { order.precedes_at(task, task, moment) } -> std::same_as<bool>;
  // The same for the end of the second, which has ended.
  { order.precedes_end_of(task, task) } -> std::same_as<bool>;
  // Another value whenever relations may be others.
  { known.epoch() } -> std::same_as<std::uint64_t>;

  { known.parent(task) } -> std::same_as<TaskId>;  // kNoTask: a root
  { known.created_at(task) } -> std::same_as<std::uint32_t>;
  { known.task_count() } -> std::same_as<std::uint32_t>;
};

}  // namespace anyorder::detect::history
