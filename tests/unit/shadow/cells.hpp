// Cells to test shadow memory with: a value, of 8 or 16 bytes, for words of 4 or 8 bytes.
#pragma once

#include <cstdint>

#include "shadow/cell.hpp"

namespace anyorder::shadow::test {

template <unsigned kWord>
struct SmallPolicy {
  static constexpr unsigned kWordBytes = kWord;
  struct Cell {
    std::uint64_t value;
  };
  static constexpr std::uint64_t kSplit = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kLocked = ~std::uint64_t{0};
  static Cell split(std::uint64_t link) noexcept { return {kSplit | link}; }
  static bool is_split(const Cell& cell) noexcept { return (cell.value & kSplit) != 0; }
  static std::uint64_t link(const Cell& cell) noexcept { return cell.value & ~kSplit; }
};

// The mark of a split cell is in its head, the link in its rest.
template <unsigned kWord>
struct LargePolicy {
  static constexpr unsigned kWordBytes = kWord;
  struct Cell {
    std::uint64_t value;
    std::uint64_t copy;  // always equal to value, except in a split cell
  };
  static constexpr std::uint64_t kLocked = ~std::uint64_t{0};
  static Cell split(std::uint64_t link) noexcept { return {kLocked - 1, link}; }
  static bool is_split(const Cell& cell) noexcept { return cell.value == kLocked - 1; }
  static std::uint64_t link(const Cell& cell) noexcept { return cell.copy; }
};

template <class Cell>
Cell cell_of(std::uint64_t value) {
  if constexpr (sizeof(Cell) == sizeof(std::uint64_t)) {
    return {value};
  } else {
    return {value, value};
  }
}

}  // namespace anyorder::shadow::test
