// Cells to test shadow memory with: a value, of 8 or 16 bytes, for words of 4 or 8 bytes.
#pragma once

#include <cstdint>

#include "shadow/cell.hpp"

namespace anyorder::shadow::test {

// A head with the highest bit is a split word's, all bits a locked one's.
struct Marks {
  static constexpr std::uint64_t kSplit = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kLocked = ~std::uint64_t{0};
  static std::uint64_t split_head(std::uint64_t link) noexcept { return kSplit | link; }
  static bool is_split(std::uint64_t head) noexcept { return (head & kSplit) != 0; }
  static std::uint64_t link(std::uint64_t head) noexcept { return head & ~kSplit; }
};

template <unsigned kWord>
struct SmallPolicy : Marks {
  static constexpr unsigned kWordBytes = kWord;
  struct Cell {
    std::uint64_t value;
  };
};

template <unsigned kWord>
struct LargePolicy : Marks {
  static constexpr unsigned kWordBytes = kWord;
  struct Cell {
    std::uint64_t value;
    std::uint64_t copy;  // of value
  };
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
