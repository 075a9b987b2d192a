// How far down a stack was used: the part of it that a task's end has to forget.
//
// A task's end gives up all of the stack below the task, up to a gigabyte of addresses, of which it used a
// few hundred bytes. Shadow memory forgets what was never touched without touching it, but by a system call,
// 2 µs, and takes the pages away that the next task will use. Of the stack that was given up last, this
// remembers the lowest address accessed since: nothing below has a history.
//
// Contract: one thread. note() is on the path of every access that comes here; the hooks in the program note
// theirs in anyorder_quick_thread_3, if that is about the same stack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::detect::history {

class LowWater {
 public:
  // Stacks, not blocks of the heap.
  static constexpr std::size_t kStackBytes = std::size_t{1} << 20U;

  // An access of memory that begins there.
  void note(std::uintptr_t address) noexcept {
    if (address - bottom_ < untouched_) [[unlikely]] {
      untouched_ = address - bottom_;
      if (anyorder_quick_thread_3.bottom != bottom_ || anyorder_quick_thread_3.untouched > untouched_) tell();
    }
  }

  // The bytes from `address` on are to be forgotten: how many of them need not be, in whole words. They are
  // untouched from then on, if it is a stack.
  [[nodiscard]] std::size_t give_up(std::uintptr_t address, std::size_t bytes) noexcept {
    if (bytes < kStackBytes) return 0;
    if (anyorder_quick_thread_3.bottom == bottom_) {
      untouched_ = std::min(untouched_, anyorder_quick_thread_3.untouched);
    }
    const std::size_t clean = address == bottom_ ? std::min(untouched_, bytes) : 0;
    untouched_ = address == bottom_ ? std::max(untouched_, bytes) : bytes;
    bottom_ = address;
    tell();
    return clean & ~(sizeof(std::uintptr_t) - 1);
  }

 private:
  // The thread that makes the accesses.
  void tell() const noexcept {
    anyorder_quick_thread_3.bottom = bottom_;
    anyorder_quick_thread_3.untouched = untouched_;
  }

  std::uintptr_t bottom_ = 0;
  std::size_t untouched_ = 0;  // bytes above the bottom
};

}  // namespace anyorder::detect::history
