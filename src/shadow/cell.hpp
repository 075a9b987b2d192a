// What a detector tells the shadow about its cell.
//
// A policy P has
//   P::Cell         what the detector keeps for a location: a value. The shadow copies it when a word is
//                   split and drops it when memory is forgotten, without telling, so it owns nothing: what it
//                   refers to must outlive it and stay right for both copies. All bytes zero means "never
//                   accessed"; equal bytes mean the same history, so there is no padding.
//   P::kWordBytes   how much memory has one cell, as long as all its bytes have the same history: 4, 8 or 16
//   P::split_head(link)   the head, that is the first 8 bytes, of the cell of a word whose bytes do not. The
//                   link is a number below 2^kLinkBits. No cell that the detector makes has such a head; it
//                   is not 0. The rest of the cell of a split word means nothing.
//   P::is_split(head), P::link(head)   the way back
// and, for shadow memory of one thread,
//   P::open(block)  the cell of a line whose words do not have the same history; the block is a number below
//                   2^P::kBlockBits. No cell that the detector makes is like that, nor a split word's
//   P::is_open(cell), P::block_of(cell)   the way back; is_open is asked of cells of lines, which are never
//   split
// or, for shadow memory that threads share,
//   P::kLocked      a head that no other cell has: none of the detector's, no split one, not 0
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace anyorder::shadow {

inline constexpr unsigned kLinkBits = 40;

template <class P>
concept CellPolicy = std::is_trivially_copyable_v<typename P::Cell> &&
                         std::has_unique_object_representations_v<typename P::Cell> &&
                         std::has_single_bit(sizeof(typename P::Cell)) && sizeof(typename P::Cell) >= 8 &&
                     sizeof(typename P::Cell) <= 64 &&
                     (P::kWordBytes == 4 || P::kWordBytes == 8 || P::kWordBytes == 16) &&
                     requires(std::uint64_t head, std::uint64_t link) {
  { P::split_head(link) } -> std::same_as<std::uint64_t>;
  { P::is_split(head) } -> std::same_as<bool>;
  { P::link(head) } -> std::same_as<std::uint64_t>;
};

template <class P>
concept LinePolicy = CellPolicy<P> && requires(const typename P::Cell& cell, std::uint64_t block) {
  { P::open(block) } -> std::same_as<typename P::Cell>;
  { P::is_open(cell) } -> std::same_as<bool>;
  { P::block_of(cell) } -> std::convertible_to<std::uint64_t>;
  { P::kBlockBits } -> std::convertible_to<unsigned>;
};

template <class P>
concept SharedCellPolicy = CellPolicy<P> && requires {
  { P::kLocked } -> std::convertible_to<std::uint64_t>;
};

template <class Cell>
[[nodiscard]] inline bool same_history(const Cell& a, const Cell& b) noexcept {
  return std::memcmp(&a, &b, sizeof(Cell)) == 0;
}

template <class Cell>
[[nodiscard]] inline std::uint64_t head_of(const Cell& cell) noexcept {
  std::uint64_t head = 0;
  std::memcpy(&head, &cell, sizeof head);
  return head;
}

// The cell of a location that was never accessed.
template <class Cell>
inline constexpr Cell kNever = std::bit_cast<Cell>(std::array<std::byte, sizeof(Cell)>{});

}  // namespace anyorder::shadow
