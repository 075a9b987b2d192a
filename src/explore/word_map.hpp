// Words of memory → values: dense, quick to walk through and to empty. For one thread.
//
// A word is eight bytes of memory, named by its address / 8; ByteMask has a bit for each of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "explore/digest.hpp"

namespace anyorder::exploring {

using Word = std::uintptr_t;
using ByteMask = std::uint8_t;

template <class Value>
class WordMap {
 public:
  struct Entry {
    Word word;
    Value value;
  };

  // The word's value, made if there is none.
  Value& operator[](Word word) {
    if (entries_.size() * 2 >= places_.size()) grow();
    std::uint32_t& place = places_[place_of(word)];
    if (place == 0) {
      entries_.push_back({word, Value{}});
      place = static_cast<std::uint32_t>(entries_.size());
    }
    return entries_[place - 1].value;
  }
  // Null: none.
  [[nodiscard]] const Value* find(Word word) const {
    if (entries_.empty()) return nullptr;
    const std::uint32_t place = places_[place_of(word)];
    return place == 0 ? nullptr : &entries_[place - 1].value;
  }
  [[nodiscard]] Value* find(Word word) { return const_cast<Value*>(std::as_const(*this).find(word)); }

  void clear() {
    if (entries_.empty()) return;
    places_.assign(places_.size(), 0);
    entries_.clear();
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] auto begin() { return entries_.begin(); }
  [[nodiscard]] auto end() { return entries_.end(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

 private:
  // Where the word is, or would be.
  [[nodiscard]] std::size_t place_of(Word word) const {
    const std::size_t last = places_.size() - 1;
    std::size_t at = scrambled(word) & last;
    while (places_[at] != 0 && entries_[places_[at] - 1].word != word) at = (at + 1) & last;
    return at;
  }
  void grow() {
    places_.assign(places_.empty() ? 16 : places_.size() * 2, 0);
    for (std::size_t i = 0; i != entries_.size(); ++i) {
      places_[place_of(entries_[i].word)] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  // index + 1 of an entry, 0: free; a power of two, at most half full
};

}  // namespace anyorder::exploring
