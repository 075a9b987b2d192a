// What is kept of a word of memory: a writer and two readers, each with its place in the code and the bytes
// of the word that it is about. SPD3 §4.1: Ms.w, Ms.r1 and Ms.r2, for every byte of the word.
//
// Bytes with other histories share the cell as long as one writer and two readers are enough for all of them:
// a byte has those in whose masks it is. Else the word is split (shadow/split_word.hpp), and each piece has a
// cell. The masks of a piece's cell are those of its word, too; their bits for bytes outside of the piece
// mean nothing. r1 and r2 are not in order: a byte's only reader may be either.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "detect/spd3/ids.hpp"

namespace anyorder::detect::spd3 {

// Bytes of a word, one bit each, the lowest address in the lowest bit.
using ByteMask = std::uint32_t;
inline constexpr ByteMask kAllBytes = 0xff;

// The bytes of an access that begins at the byte `first` of its word.
constexpr ByteMask mask_of(unsigned first, unsigned bytes) noexcept {
  return ((ByteMask{1} << bytes) - 1) << first;
}

// A step that accessed bytes of a word at a place; one 8-byte word, which is read and written as a whole.
class Entry {
 public:
  Entry() noexcept = default;  // of undefined content; Entry{} is nobody
  constexpr Entry(StepId step, PlaceId place, ByteMask bytes) noexcept
      : word_(std::uint64_t{step} << 32U | std::uint64_t{place} << 8U | bytes) {}
  static constexpr Entry of_word(std::uint64_t word) noexcept {
    Entry entry{};
    entry.word_ = word;
    return entry;
  }

  [[nodiscard]] constexpr bool none() const noexcept { return word_ == 0; }
  [[nodiscard]] constexpr StepId step() const noexcept { return static_cast<StepId>(word_ >> 32U); }
  [[nodiscard]] constexpr PlaceId place() const noexcept {
    return static_cast<PlaceId>(word_ >> 8U) & (kMostPlaces - 1);
  }
  [[nodiscard]] constexpr ByteMask bytes() const noexcept { return static_cast<ByteMask>(word_) & kAllBytes; }

  // Whether the step has accessed all of these bytes.
  [[nodiscard]] constexpr bool covers(StepId step, ByteMask bytes) const noexcept {
    return this->step() == step && (word_ & bytes) == bytes;
  }
  // Whether it is the same step at the same place, whatever the bytes.
  [[nodiscard]] constexpr bool same_as(Entry other) const noexcept {
    return (word_ ^ other.word_) >> 8U == 0;
  }
  // The same for these bytes alone; nobody if there are none.
  [[nodiscard]] constexpr Entry within(ByteMask bytes) const noexcept {
    const std::uint64_t left = word_ & (~std::uint64_t{kAllBytes} | bytes);
    return (left & kAllBytes) == 0 ? Entry{} : of_word(left);
  }
  // Adds the bytes of the other, if one entry can be both. False: it is unchanged.
  [[nodiscard]] constexpr bool merge(Entry other) noexcept {
    if (!none() && !same_as(other)) return false;
    word_ |= other.word_;
    return true;
  }
  friend bool operator==(const Entry&, const Entry&) = default;

 private:
  std::uint64_t word_;
};

struct alignas(32) Cell {
  std::uint64_t head;  // the shadow's: shadow/version_lock.hpp
  Entry writer;
  std::array<Entry, 2> readers;

  // The bytes of `among`, which is not empty, that have the same writer and readers as its lowest.
  [[nodiscard]] constexpr ByteMask like_lowest_of(ByteMask among) const noexcept {
    const ByteMask lowest = among & (~among + 1);
    const auto alike = [lowest](Entry entry) {
      return (entry.bytes() & lowest) != 0 ? entry.bytes() : ~entry.bytes();
    };
    return among & alike(writer) & alike(readers[0]) & alike(readers[1]);
  }
};
static_assert(sizeof(Cell) == 32 && std::is_trivial_v<Cell> &&
              std::has_unique_object_representations_v<Cell>);

struct CellPolicy {
  using Cell = spd3::Cell;
  static constexpr std::size_t kWordBytes = 8;

  static constexpr std::uint64_t split_head(std::uint64_t link) noexcept { return kMark | link; }
  static constexpr bool is_split(std::uint64_t head) noexcept { return (head & kMark) != 0; }
  static constexpr std::uint64_t link(std::uint64_t head) noexcept { return head & ~kMark; }
  // As an entry it is of a step that there is not.
  static constexpr std::uint64_t split_word(std::uint32_t half) noexcept {
    return std::uint64_t{0xffff'ffffU} << 32U | half;
  }

 private:
  static constexpr std::uint64_t kMark = std::uint64_t{1} << 63U;
};
static_assert(kMostSteps < 0xffff'ffffU);

}  // namespace anyorder::detect::spd3
