// Known Joins by vector clocks (the paper's Theorem 5.2): a task may join a future iff the continuation of
// its creation happens before. A clock counts the futures that a task has created; a task's vector says how
// far it knows each of them. Forks copy the vector and joins merge two, in linear time; space is quadratic.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "deadlock/knowledge.hpp"

namespace anyorder::deadlock {

class VectorClocks {
 public:
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // a task's number, its clock
  using Vector = std::vector<Entry>;                      // by number

  struct Task {
    Entry label{0, 0};       // the creator and its clock before the creation; 0: no future
    std::uint64_t self = 0;  // its number; given at the first fork of a future
    Vector vector;           // with its own entry
    Vector born;             // of a piece of a loop
  };
  struct Finish {
    std::mutex mutex;
    Vector learnt;  // guarded by it
  };

  static void fork(Task& parent, Task& child, bool is_future);
  [[nodiscard]] static bool knows(const Task& task, const Task& target);
  static void join(Task& task, const Task& target);
  static void next_index(Task& loop, Finish& finish);
  static void split(const Task& loop, Task& rest);
  [[nodiscard]] static bool has_learnt(const Task& task) { return !task.vector.empty(); }
  static void end(Task& task, Finish& finish);
  static void finish_end(Task& owner, Finish& finish);
  static void forget(Task& task);

  template <class Free>
  static void release(Task* task, Free free) {
    free(task);
  }
};
static_assert(Knowledge<VectorClocks>);

}  // namespace anyorder::deadlock
