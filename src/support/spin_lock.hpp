// Locks for critical sections of a few instructions, and how to wait for one.
#pragma once

#include <atomic>
#include <sched.h>

namespace anyorder::support {

// A wait that ends soon, if the thread that is waited for runs; the processor is its after a while.
class ShortWait {
 public:
  void operator()() noexcept {
    if (++times_ % kBeforeYield == 0) {
      sched_yield();
    } else {
      __builtin_ia32_pause();
    }
  }

 private:
  static constexpr unsigned kBeforeYield = 64;
  unsigned times_ = 0;
};

class SpinLock {
 public:
  void lock() noexcept {
    for (ShortWait wait; taken_.exchange(true, std::memory_order_acquire);) {
      while (taken_.load(std::memory_order_relaxed)) wait();
    }
  }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

// For one thread, which has nobody to wait for.
class NoLock {
 public:
  void lock() noexcept {}
  void unlock() noexcept {}
};

}  // namespace anyorder::support
