// Blocks of cells for the pieces of split words.
//
// A block serves one word whose pieces are all of one size, its grain: 1, 2, 4 or 8 bytes, less than a word.
// Grains are given by their logarithm: sizes are shifts, then, where a division would cost more than all
// else. There is one list of free blocks per grain. Memory comes from the system, never from malloc, and goes
// back when no block of a grain is in use.
//
// Contract: with kShared false all calls come from one thread at a time. With true, any thread may call
// take and give_back; what a block holds is its owner's.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <utility>

#include "shadow/cell.hpp"
#include "shadow/reservation.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::shadow {

template <class Cell, unsigned kWordBytes, bool kShared>
class PiecePool {
 public:
  static constexpr std::size_t kBytes = std::countr_zero(kWordBytes) * (std::size_t{1} << 38U);

  // Takes kBytes from the reservation.
  explicit PiecePool(Reservation& from) noexcept
      : classes_(make_classes(from, std::make_index_sequence<kClasses>())) {}

  // The link of a block with kWordBytes >> grain cells, whose content is not defined.
  [[nodiscard]] std::uint64_t take(unsigned grain) noexcept {
    Class& c = classes_[grain];
    const std::size_t block = block_bytes(grain);
    const std::lock_guard hold(c.lock);
    std::uint64_t number = c.first_free;
    if (number != kNone) {
      std::memcpy(&c.first_free, c.memory.base() + number * block, sizeof number);
    } else {
      number = c.ever_used;
      if ((number + 1) * block > c.memory.bytes()) fail_when_full();
      ++c.ever_used;
    }
    ++c.in_use;
    return number << kGrainBits | grain;
  }

  void give_back(std::uint64_t link) noexcept {
    Class& c = classes_[grain_of(link)];
    const std::size_t block = block_bytes(grain_of(link));
    const std::lock_guard hold(c.lock);
    if (--c.in_use == 0) {
      c.first_free = kNone;
      if (c.ever_used * block >= kKept) c.memory.discard(0, Area::rounded(c.ever_used * block));
      c.ever_used = 0;
      return;
    }
    const std::uint64_t number = link >> kGrainBits;
    std::memcpy(c.memory.base() + number * block, &c.first_free, sizeof number);
    c.first_free = number;
  }

  [[nodiscard]] static unsigned grain_of(std::uint64_t link) noexcept {
    return static_cast<unsigned>(link & kGrainMask);
  }
  [[nodiscard]] Cell* cells(std::uint64_t link) const noexcept {
    return reinterpret_cast<Cell*>(classes_[grain_of(link)].memory.base() +
                                   (link >> kGrainBits) * block_bytes(grain_of(link)));
  }

 private:
  static constexpr unsigned kClasses = std::countr_zero(kWordBytes);
  static constexpr unsigned kGrainBits = 2;
  static constexpr std::uint64_t kGrainMask = (1U << kGrainBits) - 1;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t kReserved = kBytes / kClasses;
  static constexpr std::size_t kKept = std::size_t{1} << 20U;  // not worth a system call to give back
  static_assert(kClasses <= 1U << kGrainBits);
  static_assert(kReserved / sizeof(Cell) << kGrainBits <= std::uint64_t{1} << kLinkBits);

  struct Class {
    explicit Class(Area area) noexcept : memory(area) {}

    Area memory;
    std::uint64_t first_free = kNone;  // a free block's first bytes are the number of the next
    std::uint64_t ever_used = 0;       // blocks below this number are in use or free
    std::uint64_t in_use = 0;
    [[no_unique_address]] std::conditional_t<kShared, support::SpinLock, support::NoLock> lock;
  };

  template <std::size_t... kEach>
  static std::array<Class, kClasses> make_classes(Reservation& from, std::index_sequence<kEach...>) noexcept {
    return {(static_cast<void>(kEach), Class(from.carve(kReserved)))...};
  }
  static constexpr std::size_t block_bytes(unsigned grain) noexcept {
    return kWordBytes * sizeof(Cell) >> grain;
  }
  [[noreturn]] static void fail_when_full() noexcept {
    std::fprintf(
        stderr,
        "anyorder: more than %zu GiB of shadow memory for words whose bytes have different histories; "
        "check the program with a smaller input\n",
        kReserved >> 30U);
    std::abort();
  }

  std::array<Class, kClasses> classes_;  // by grain
};

}  // namespace anyorder::shadow
