// The contents of the memory that a run has written, as a digest.
//
// Contract: for one thread. A write is told before it is made: what it wrote is looked up when the digest is
// asked for, by load(word), which must not fail for words that were written and not forgotten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "explore/digest.hpp"
#include "explore/word_map.hpp"

namespace anyorder::exploring {

constexpr std::uint64_t bits_of(ByteMask bytes) noexcept {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i != 8; ++i) {
    if ((bytes >> i & 1U) != 0) bits |= std::uint64_t{0xff} << (8 * i);
  }
  return bits;
}

class TouchedMemory {
 public:
  void clear() {
    cells_.clear();
    dirty_.clear();
    sum_ = {};
  }
  void write(Word word, ByteMask bytes) {
    Cell& cell = cells_[word];
    cell.bytes |= bytes;
    if (!cell.dirty) {
      cell.dirty = true;
      dirty_.push_back(word);
    }
  }
  // Those bytes of a word that are part of it.
  [[nodiscard]] ByteMask bytes_in(Word word) const {
    const Cell* const cell = cells_.find(word);
    return cell == nullptr ? ByteMask{0} : cell->bytes;
  }
  // These bytes of a word hold nothing any more that is part of it.
  void forget(Word word, ByteMask bytes) {
    Cell* const cell = cells_.find(word);
    if (cell == nullptr || (cell->bytes & bytes) == 0) return;
    const auto rest = static_cast<ByteMask>(cell->bytes & ~bytes);
    forget(*cell);
    if (rest != 0) write(word, rest);
  }
  // Nor all these words.
  void forget_all(Word first, Word last) {
    if (cells_.empty()) return;
    if (last - first < cells_.size()) {
      for (Word word = first; word <= last; ++word) {
        if (Cell* const cell = cells_.find(word)) forget(*cell);
      }
    } else {
      for (auto& [word, cell] : cells_) {
        if (word >= first && word <= last) forget(cell);
      }
    }
  }
  // Nor those from the first to the second of each range; they have no word in common, and are sorted.
  void forget_all(std::span<const std::pair<Word, Word>> ranges) {
    for (auto& [word, cell] : cells_) {
      if (cell.bytes == 0) continue;
      const auto after = std::upper_bound(
          ranges.begin(), ranges.end(), word,
          [](Word sought, const std::pair<Word, Word>& range) { return sought < range.first; });
      if (after != ranges.begin() && word <= std::prev(after)->second) forget(cell);
    }
  }
  template <class Load>
  Digest digest(Load load) {
    for (const Word word : dirty_) {
      Cell& cell = *cells_.find(word);
      cell.dirty = false;
      if (cell.bytes == 0) continue;
      sum_ -= cell.part;
      cell.part = folded(folded(folded(Digest{}, word), cell.bytes), load(word) & bits_of(cell.bytes));
      sum_ += cell.part;
    }
    dirty_.clear();
    return sum_;
  }

 private:
  struct Cell {
    Digest part;  // of the sum
    ByteMask bytes = 0;
    bool dirty = false;
  };
  void forget(Cell& cell) {
    sum_ -= cell.part;
    cell.part = {};
    cell.bytes = 0;
  }

  WordMap<Cell> cells_;
  std::vector<Word> dirty_;
  Digest sum_;
};

}  // namespace anyorder::exploring
