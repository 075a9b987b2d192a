// Cells to test shadow memory with: a value, of 8 or 16 bytes, for words of 4 or 8 bytes.
#pragma once

#include <cstdint>

#include "shadow/cell.hpp"

namespace anyorder::shadow::test {

// A head with the highest bit is a split word's, or with the next one an open line's; all bits are a locked
// one's.
struct Marks {
  static constexpr std::uint64_t kSplit = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kLocked = ~std::uint64_t{0};
  static std::uint64_t split_head(std::uint64_t link) noexcept { return kSplit | link; }
  static bool is_split(std::uint64_t head) noexcept { return (head & kSplit) != 0; }
  static std::uint64_t link(std::uint64_t head) noexcept { return head & ~kSplit; }

  static constexpr std::uint64_t kOpen = std::uint64_t{3} << 62U;
  static constexpr unsigned kBlockBits = 31;
};

template <class C>
struct LineMarks : Marks {
  using Cell = C;
  static Cell open(std::uint64_t block) noexcept {
    Cell cell{};
    cell.value = kOpen | block;
    return cell;
  }
  static bool is_open(const Cell& line) noexcept { return (line.value & kOpen) == kOpen; }
  static std::uint64_t block_of(const Cell& line) noexcept { return line.value & ~kOpen; }
};

struct SmallCell {
  std::uint64_t value;
};
template <unsigned kWord>
struct SmallPolicy : LineMarks<SmallCell> {
  static constexpr unsigned kWordBytes = kWord;
};

struct LargeCell {
  std::uint64_t value;
  std::uint64_t copy;  // of value
};
template <unsigned kWord>
struct LargePolicy : LineMarks<LargeCell> {
  static constexpr unsigned kWordBytes = kWord;
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
