// Blocks of cells for the pieces of split words.
//
// A block serves one word whose pieces are all of one size, its grain: 1, 2, 4 or 8 bytes, less than a word.
// Grains are given by their logarithm: sizes are shifts, then, where a division would cost more than all
// else. There is one pool of blocks per grain.
//
// Contract: that of block_pool.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "shadow/block_pool.hpp"
#include "shadow/cell.hpp"
#include "shadow/reservation.hpp"

namespace anyorder::shadow {

template <class Cell, unsigned kWordBytes, bool kShared>
class PiecePool {
 public:
  static constexpr std::size_t kBytes = std::countr_zero(kWordBytes) * (std::size_t{1} << 38U);

  // Takes kBytes from the reservation.
  explicit PiecePool(Reservation& from) noexcept
      : pools_(make_pools(from, std::make_index_sequence<kGrains>())) {}

  // The link of a block with kWordBytes >> grain cells, whose content is not defined.
  [[nodiscard]] std::uint64_t take(unsigned grain) noexcept {
    return pools_[grain].take() << kGrainBits | grain;
  }
  void give_back(std::uint64_t link) noexcept { pools_[grain_of(link)].give_back(link >> kGrainBits); }

  [[nodiscard]] static unsigned grain_of(std::uint64_t link) noexcept {
    return static_cast<unsigned>(link & kGrainMask);
  }
  [[nodiscard]] Cell* cells(std::uint64_t link) const noexcept {
    return reinterpret_cast<Cell*>(pools_[grain_of(link)].at(link >> kGrainBits));
  }

  // Blocks, so words that are split.
  [[nodiscard]] std::size_t in_use() const noexcept {
    std::size_t blocks = 0;
    for (const Pool& pool : pools_) blocks += pool.in_use();
    return blocks;
  }

 private:
  using Pool = BlockPool<kShared>;

  static constexpr unsigned kGrains = std::countr_zero(kWordBytes);
  static constexpr unsigned kGrainBits = 2;
  static constexpr std::uint64_t kGrainMask = (1U << kGrainBits) - 1;
  static constexpr std::size_t kReserved = kBytes / kGrains;
  static_assert(kGrains <= 1U << kGrainBits);
  static_assert(kReserved / sizeof(Cell) << kGrainBits <= std::uint64_t{1} << kLinkBits);

  template <std::size_t... kGrain>
  static std::array<Pool, kGrains> make_pools(Reservation& from, std::index_sequence<kGrain...>) noexcept {
    return {Pool(from.carve(kReserved), kWordBytes * sizeof(Cell) >> kGrain)...};
  }

  std::array<Pool, kGrains> pools_;  // by grain
};

}  // namespace anyorder::shadow
