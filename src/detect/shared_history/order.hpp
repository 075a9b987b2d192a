// What a detector has to know of tasks: which steps may run in parallel, on any schedule. All of it is asked
// by many threads at once, each with a Stock and a Known of its own.
#pragma once

#include <concepts>
#include <cstdint>

#include "detect/shared_history/ids.hpp"

namespace anyorder::detect::shared_history {

struct StepNumbers {
  std::uintptr_t of_slot_0;
  unsigned shift;
  const StepId* past;  // where past() is
};

// How two steps lie to each other.
struct Relation {
  bool parallel;   // on some schedule
  bool a_is_left;  // not parallel: a precedes b, or is b. Else: it comes first when all runs serially
  std::uint32_t lca_depth;  // how deep in the nesting the two part
};

// A Task is what the slot of a task holds; a Finish, that of a finish. A Step is a value. It stands for a
// part of a task in which nothing is created and nothing waited for; two of them lie to each other the same
// way for ever, and of two with the same scope_id() the one with the greater position_in_scope() comes later.
// Of those that a cell has, a record is kept, by a StepId.
template <class O>
concept Order = std::equality_comparable<typename O::Step> &&
    requires(O& order, const O& seen, typename O::Task task, typename O::Stock& stock,
             typename O::Known& known, const typename O::Step& step, StepId id, TaskNumber number) {
  // Where the task is: can be said after place(), and if can_place(), which takes no memory, says so.
  { order.can_place(task, stock) } -> std::same_as<bool>;
  {order.place(task, stock)};
  { order.position_of(task) } -> std::same_as<typename O::Step>;
  // The number of the task's step. kNoStep: it has none; and of try_keep_step_of, which takes no memory, that
  // none can be had so.
  { seen.kept_step_of(task) } -> std::same_as<StepId>;
  // Where it is for the task in a slot: the address for slot 0, by how much the slot is shifted.
  { seen.step_numbers() } -> std::same_as<StepNumbers>;
  { order.try_keep_step_of(task, stock) } -> std::same_as<StepId>;
  { order.keep_step_of(task, stock) } -> std::same_as<StepId>;
  {order.refill(stock)};
  { seen.step(id) } -> std::convertible_to<typename O::Step>;
  // Steps with lower numbers precede all that are not over, which is known without a look at their records.
  // There may be others.
  { seen.past() } -> std::same_as<StepId>;
  // Of two that are kept: whether the second is of the same scope, and later. It may be said too seldom.
  { seen.goes_on_in(id, id) } -> std::same_as<bool>;
  { seen.relation(step, step, known) } -> std::same_as<Relation>;
  // Whether the first precedes the second, or is it. Of steps that both are over this may be said too often.
  { seen.precedes(step, step, known) } -> std::same_as<bool>;
  // For reports: a task's number; whose step it is, where that was created, as SharedCreations numbers it,
  // and by whom.
  { order.number_of(task, stock) } -> std::same_as<TaskNumber>;
  { seen.task_of(step) } -> std::same_as<TaskNumber>;
  { seen.created_at(number) } -> std::same_as<std::uint32_t>;
  { seen.creator_of(number) } -> std::same_as<TaskNumber>;

  { order.begin_root(stock) } -> std::same_as<typename O::Task>;
  { order.create_async(task, std::uint32_t{}, stock) } -> std::same_as<typename O::Task>;
  { order.begin_finish(task, stock) } -> std::same_as<typename O::Finish>;
  {order.end_finish(task, typename O::Finish{}, stock)};
  {order.forget(task, stock)};
  // The task goes on in a new step, although it made no task operation.
  {order.next_step(task, stock)};
};

}  // namespace anyorder::detect::shared_history
