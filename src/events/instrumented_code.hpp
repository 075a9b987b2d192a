// Which code of the process is instrumented: the address ranges of its modules that are.
//
// Contract: any thread, any time; no locks, no allocation. Ranges are only ever added.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace anyorder::events {

class InstrumentedCode {
 public:
  [[nodiscard]] bool contains(std::uintptr_t pc) const noexcept {
    const std::size_t count = count_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i) {
      if (pc - ranges_[i].begin < ranges_[i].bytes) return true;
    }
    return false;
  }

  // By one thread at a time. Beyond the limit, code counts as not instrumented for library calls.
  void add(std::uintptr_t begin, std::size_t bytes) noexcept {
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (count == ranges_.size()) return;
    ranges_[count] = {begin, bytes};
    count_.store(count + 1, std::memory_order_release);
  }

 private:
  struct Range {
    std::uintptr_t begin;
    std::size_t bytes;
  };
  std::array<Range, 1024> ranges_{};
  std::atomic<std::size_t> count_{0};
};

inline constinit InstrumentedCode instrumented_code;

}  // namespace anyorder::events
