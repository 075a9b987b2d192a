// A timed set: the futures that one task has created, in their order. A time is how many there were.
//
// The elements carry their labels, the set and the time at which they were added, so that nothing is stored
// here: a future is in the set as it was at a time iff its label says that it was added before. Copying the
// set is copying a time, and there is no table that readers could see half made.
//
// What is kept here is whether anybody can still ask, the number of elements whose handles live, and by which
// join the task's set was learnt last (join_tree.hpp).
//
// Contract: any thread. Who mentions the set holds a reference, so that its address is its name.
#pragma once

#include <atomic>
#include <cstdint>

#include "deadlock/memory.hpp"

namespace anyorder::deadlock {

class TimedSet {
 public:
  using Time = std::uint32_t;

  // The maker has the first reference.
  [[nodiscard]] static TimedSet* make() { return deadlock::make<TimedSet>(); }

  void add_reference() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void drop_reference() noexcept { drop(1); }
  // An element holds a reference, too, until it is forgotten.
  void add_element() noexcept { count_.fetch_add(kElement + 1, std::memory_order_relaxed); }
  void forget_element() noexcept { drop(kElement + 1); }

  // Whether an element can be asked for. Once false it stays so, unless the creating task adds one.
  [[nodiscard]] bool has_elements() const noexcept {
    return count_.load(std::memory_order_relaxed) >= kElement;
  }

  // The task has ended, and was joined. A number, by which others tell what happened before: relaxed.
  void joined_by(std::uint64_t join) noexcept { last_join_.store(join, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t last_join() const noexcept {
    return last_join_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kElement = std::uint64_t{1} << 32U;

  void drop(std::uint64_t count) noexcept {
    if (count_.fetch_sub(count, std::memory_order_acq_rel) == count) destroy(this);
  }

  std::atomic<std::uint64_t> count_{1};      // references below, elements above
  std::atomic<std::uint64_t> last_join_{0};  // 0: none
};

// A set as it was at a time.
struct Snapshot {
  TimedSet* set = nullptr;  // null: of nothing
  TimedSet::Time time = 0;
};

}  // namespace anyorder::deadlock
