// The lock of a word of shared shadow memory, in the head of its cell: who replaces the head by P::kLocked
// has the word until it stores the head again.
//
// Contract: one object is one critical section. The cell is outside the shadow meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shadow/cell.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::shadow {

template <SharedCellPolicy P>
class HeadLock {
 public:
  using Cell = typename P::Cell;

  explicit HeadLock(Cell& place) noexcept : place_(place) {
    const std::atomic_ref<std::uint64_t> head = atomic_head(place_);
    std::uint64_t was = head.load(std::memory_order_relaxed);
    support::ShortWait wait;
    while (was == P::kLocked || !head.compare_exchange_weak(was, P::kLocked, std::memory_order_acquire,
                                                            std::memory_order_relaxed)) {
      if (was == P::kLocked) {
        wait();
        was = head.load(std::memory_order_relaxed);
      }
    }
    std::memcpy(&cell, &was, kHead);
    if constexpr (kRest != 0) std::memcpy(rest(cell), rest(place_), kRest);
  }
  HeadLock(const HeadLock&) = delete;
  HeadLock& operator=(const HeadLock&) = delete;
  ~HeadLock() {
    if constexpr (kRest != 0) std::memcpy(rest(place_), rest(cell), kRest);
    atomic_head(place_).store(head_of(cell), std::memory_order_release);
  }

  // Without the lock: whether the word was never accessed; false also if that is not certain.
  [[nodiscard]] static bool is_never(Cell& place) noexcept {
    // A head alone does not tell that the rest of a cell is zero.
    return kRest == 0 && atomic_head(place).load(std::memory_order_acquire) == 0;
  }
  // Likewise: whether it may be split.
  [[nodiscard]] static bool may_be_split(Cell& place) noexcept {
    const std::uint64_t now = atomic_head(place).load(std::memory_order_acquire);
    return now == P::kLocked || P::is_split(now);
  }

  static std::atomic_ref<std::uint64_t> atomic_head(Cell& cell) noexcept {
    return std::atomic_ref(reinterpret_cast<std::uint64_t&>(cell));
  }

  Cell cell;

 private:
  static constexpr std::size_t kHead = sizeof(std::uint64_t);
  static constexpr std::size_t kRest = sizeof(Cell) - kHead;
  static char* rest(Cell& c) noexcept { return reinterpret_cast<char*>(&c) + kHead; }

  Cell& place_;
};

}  // namespace anyorder::shadow
