// How a cell of several 8-byte words is changed while others look at it without a lock. The first word is its
// version. shadow/version_lock.hpp says how all of it works, and why a look is at one moment.
//
// Contract: cells are aligned by their size, which is a power of two.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace anyorder::events {

// The lock of a stretch of cells; on a line of its own, so that threads do not disturb each other that change
// cells of different ones.
class alignas(64) StretchLock {
 public:
  [[nodiscard, gnu::always_inline]] bool try_lock() noexcept {
    return !is_taken() && !taken_.exchange(true, std::memory_order_acquire);
  }
  [[nodiscard]] bool is_taken() const noexcept { return taken_.load(std::memory_order_relaxed); }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

// Those of all stretches, which share them.
struct StretchLocks {
  static constexpr std::uintptr_t kCells = 512;  // of a stretch: as many words as a page has
  static constexpr unsigned kBits = 9;

  std::array<StretchLock, std::size_t{1} << kBits> locks;

  template <std::size_t kCellBytes>
  [[nodiscard, gnu::always_inline]] StretchLock& of(const void* cell) noexcept {
    const std::uintptr_t stretch = reinterpret_cast<std::uintptr_t>(cell) / kCellBytes / kCells;
    return locks[stretch * 0x9e37'79b9'7f4a'7c15U >> (64U - kBits)];
  }
};

// Of a version: with one of these bits the rest of the cell is not to be looked at.
struct CellVersion {
  static constexpr std::uint64_t kChanging = 1;
  static constexpr std::uint64_t kSplit = 2;
  static constexpr std::uint64_t kUnsteady = kChanging | kSplit;
  static constexpr std::uint64_t kNext = 4;  // is added by each change
};

// Under the lock: the cell with this version gets the words but the first, and the next version.
template <std::size_t kWords>
[[gnu::always_inline]] inline void change_words(std::uint64_t* cell, std::uint64_t version,
                                                const std::array<std::uint64_t, kWords>& words,
                                                std::uint64_t next_version) noexcept {
  __atomic_store_n(cell, version | CellVersion::kChanging, __ATOMIC_RELAXED);
  // Without a loop, which is not always unrolled where it is inlined.
  [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
    (__atomic_store_n(cell + i + 1, words[i + 1], __ATOMIC_RELEASE), ...);
  }
  (std::make_index_sequence<kWords - 1>{});
  __atomic_store_n(cell, next_version, __ATOMIC_RELEASE);
}

// The same where only one of its words, not the first, becomes another: a look that mixes the two states sees
// one of them, and so there is no mark.
[[gnu::always_inline]] inline void change_word(std::uint64_t* cell, std::size_t i, std::uint64_t word,
                                               std::uint64_t next_version) noexcept {
  __atomic_store_n(cell + i, word, __ATOMIC_RELEASE);
  __atomic_store_n(cell, next_version, __ATOMIC_RELEASE);
}

}  // namespace anyorder::events
