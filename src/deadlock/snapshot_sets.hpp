// Known Joins by snapshot sets (the paper's section 5.2): constant time for forks and joins, and space in
// proportion to the tasks that can still be asked for.
//
// A task keeps what it has learnt itself: the futures it created, a timed set, and what it joined, a list.
// What it was born with is its parent's set at a time, its parent's list, and what its parent was born with:
// a chain of tasks upwards.
//
// A join takes over what the target has learnt itself. The paper takes all that the target knew; but who
// knows the target comes after its creation, and so knows what the target was born with already.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "deadlock/join_tree.hpp"
#include "deadlock/knowledge.hpp"
#include "deadlock/timed_set.hpp"

namespace anyorder::deadlock {

class SnapshotSets {
 public:
  struct Task {
    // As an element of its creator's set; null if it is no future.
    Snapshot label;
    TimedSet::Time forks = 0;                  // of the own set
    std::atomic<std::uint32_t> references{1};  // the executor's, and those of tasks that were born of it
    // What it was born with; immutable.
    Snapshot born;
    JoinNode* born_joins = nullptr;
    Task* above = nullptr;
    // What it has learnt. Others read it after the task's end.
    TimedSet* own = nullptr;  // made at the first fork of a future
    JoinNode* joins = nullptr;
    std::uint32_t prune_at = kFirstPrune;  // a length of `joins`

    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task();
  };
  struct Finish {
    std::atomic<JoinNode*> learnt{nullptr};  // by the tasks that have ended
  };

  static void fork(Task& parent, Task& child, bool is_future);
  [[nodiscard]] static bool knows(const Task& task, const Task& target) { return visits(task, target).known; }
  static void join(Task& task, const Task& target);
  static void next_index(Task& loop, Finish& finish);
  static void split(const Task& loop, Task& rest);
  // Whether end() would tell the finish anything.
  [[nodiscard]] static bool has_learnt(Task& task);
  static void end(Task& task, Finish& finish);
  static void finish_end(Task& owner, Finish& finish);
  static void forget(Task& task);

  struct Answer {
    bool known;
    std::size_t visits;  // nodes and tasks that were looked at
  };
  [[nodiscard]] static Answer visits(const Task& task, const Task& target);

  // Takes a reference away; the task, if it was the last one, and so on upwards. `free` gets each that goes.
  template <class Free>
  static void release(Task* task, Free free) {
    while (task != nullptr && task->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      Task* const above = task->above;
      task->above = nullptr;
      free(task);
      task = above;
    }
  }

 private:
  static constexpr std::uint32_t kFirstPrune = 64;

  static Snapshot learnt_forks(const Task& task) { return {task.own, task.forks}; }
  static void inherit(const Task& from, Task& child);
  static void learn(Task& task, const Snapshot& forks, JoinNode* joins);
  static void drop_learnt(Task& task);
};
static_assert(Knowledge<SnapshotSets>);

}  // namespace anyorder::deadlock
