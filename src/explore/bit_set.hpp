// A set of small numbers that grows as it needs to.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "explore/digest.hpp"

namespace anyorder::exploring {

class BitSet {
 public:
  void insert(std::size_t i) {
    if (i / 64 >= words_.size()) words_.resize(i / 64 + 1);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void erase(std::size_t i) {
    if (i / 64 < words_.size()) words_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  [[nodiscard]] bool contains(std::size_t i) const {
    return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1U) != 0;
  }
  void clear() { words_.clear(); }
  [[nodiscard]] bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }

  BitSet& operator|=(const BitSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i != other.words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  BitSet& operator&=(const BitSet& other) {
    if (words_.size() > other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i != words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  BitSet& operator-=(const BitSet& other) {
    const std::size_t both = std::min(words_.size(), other.words_.size());
    for (std::size_t i = 0; i != both; ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  [[nodiscard]] bool is_subset_of(const BitSet& other) const {
    for (std::size_t i = 0; i != words_.size(); ++i) {
      if ((words_[i] & ~(i < other.words_.size() ? other.words_[i] : 0)) != 0) return false;
    }
    return true;
  }

  // The same for sets of the same numbers.
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i != words_.size(); ++i) {
      if (words_[i] != 0) all = scrambled(all ^ words_[i]) + i;
    }
    return all;
  }
  [[nodiscard]] bool has_those_of(const BitSet& other) const {
    return is_subset_of(other) && other.is_subset_of(*this);
  }

  template <class Each>
  void for_each(Each each) const {
    for (std::size_t i = 0; i != words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        each(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace anyorder::exploring
