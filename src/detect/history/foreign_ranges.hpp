// Memory that threads which are not checked were given: to be forgotten, but only the checked thread may
// touch the history. It does so before its next access, which is early enough.
//
// Contract: add() from any thread, the rest from the checked one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace anyorder::detect::history {

class ForeignRanges {
 public:
  struct Range {
    std::uintptr_t begin;
    std::size_t bytes;
  };

  void add(Range range) {
    const std::lock_guard lock(mutex_);
    ranges_.push_back(range);
    waiting_.store(true, std::memory_order_release);
  }

  // What a thread did before the checked one learnt of the memory from it is seen here.
  [[nodiscard]] bool waiting() const noexcept { return waiting_.load(std::memory_order_acquire); }

  [[nodiscard]] std::vector<Range> take() {
    const std::lock_guard lock(mutex_);
    waiting_.store(false, std::memory_order_relaxed);
    return std::exchange(ranges_, {});
  }

 private:
  std::atomic<bool> waiting_{false};
  std::mutex mutex_;
  std::vector<Range> ranges_;
};

}  // namespace anyorder::detect::history
