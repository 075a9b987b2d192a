// Which blocks of the heap are of memory that the program has never had: they have no history that would have
// to be forgotten. To look whether they have one costs a page fault for each page of its cells.
//
// malloc takes small blocks out of the process's data segment, which it lets grow when it has to: what lies
// there above all blocks so far is new.
//
// Contract: any thread. Who uses brk or sbrk itself has to give back what malloc then gets without having
// accessed it in a task.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace anyorder::binding {

class FreshHeap {
 public:
  FreshHeap() noexcept : FreshHeap(reinterpret_cast<std::uintptr_t>(sbrk(0))) {}
  // Of a segment that ends there.
  explicit FreshHeap(std::uintptr_t end) noexcept : begin_(end), top_(end) {}

  // Whether this block, which has just been allocated, is.
  [[nodiscard]] bool take(std::uintptr_t address, std::size_t bytes) noexcept {
    if (address - begin_ >= kMost) return false;
    std::uintptr_t top = top_.load(std::memory_order_relaxed);
    const bool fresh = address >= top;
    while (address + bytes > top &&
           !top_.compare_exchange_weak(top, address + bytes, std::memory_order_relaxed)) {
    }
    return fresh;
  }

 private:
  // Other mappings are further away.
  static constexpr std::uintptr_t kMost = std::uintptr_t{1} << 40U;

  std::uintptr_t begin_;
  std::atomic<std::uintptr_t> top_;
};

}  // namespace anyorder::binding
