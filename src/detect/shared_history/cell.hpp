// What is kept of a word of memory: three entries, each of a step that wrote or read bytes of the word, with
// its place in the code. SPD3 §4.1 has Ms.w, Ms.r1 and Ms.r2 for every location, offset-span labeling Wlast,
// Rll and Rlr: a byte has those entries in whose masks it is, of which at most one writes and two read.
//
// Bytes with other histories share the cell as long as three entries are enough for all of them. Else the
// word is split (shadow/split_word.hpp), and each piece has a cell. The masks of a piece's cell are those of
// its word, too; their bits for bytes outside of the piece mean nothing. Entries are in no order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "detect/history/byte_mask.hpp"
#include "detect/shared_history/ids.hpp"
#include "events/quick_steps.hpp"
#include "findings/race.hpp"

namespace anyorder::detect::shared_history {

using history::ByteMask;
using history::kAllBytes;
using history::mask_of;

// A step that wrote or read bytes of a word at a place; one 8-byte word, which is read and written as a
// whole.
class Entry {
 public:
  Entry() noexcept = default;  // of undefined content; Entry{} is nobody
  constexpr Entry(StepId step, findings::AccessKind kind, PlaceId place, ByteMask bytes) noexcept
      : word_(std::uint64_t{step} << 32U | (kind == findings::AccessKind::write ? kWrites : 0) |
              std::uint64_t{place} << 8U | bytes) {}
  static constexpr Entry of_word(std::uint64_t word) noexcept {
    Entry entry{};
    entry.word_ = word;
    return entry;
  }

  [[nodiscard]] constexpr std::uint64_t word() const noexcept { return word_; }
  [[nodiscard]] constexpr bool none() const noexcept { return word_ == 0; }
  [[nodiscard]] constexpr StepId step() const noexcept { return static_cast<StepId>(word_ >> 32U); }
  [[nodiscard]] constexpr bool writes() const noexcept { return (word_ & kWrites) != 0; }
  [[nodiscard]] constexpr PlaceId place() const noexcept {
    return static_cast<PlaceId>(word_ >> 8U) & ((PlaceId{1} << kPlaceBits) - 1);
  }
  [[nodiscard]] constexpr ByteMask bytes() const noexcept { return static_cast<ByteMask>(word_) & kAllBytes; }

  // Whether it is of this step, and has all of these bytes.
  [[nodiscard]] constexpr bool covers(StepId step, ByteMask bytes) const noexcept {
    return this->step() == step && (word_ & bytes) == bytes;
  }
  // The same of no step in particular.
  [[nodiscard]] constexpr Entry of_any_step() const noexcept { return of_word(word_ & ~std::uint32_t{0}); }
  // Whether it is the same step doing the same, wherever and to whatever bytes.
  [[nodiscard]] constexpr bool same_doing(Entry other) const noexcept {
    return (word_ ^ other.word_) >> (8U + kPlaceBits) == 0;
  }
  // Whether the two differ in nothing but their places.
  [[nodiscard]] constexpr bool like(Entry other) const noexcept {
    return ((word_ ^ other.word_) & ~(((std::uint64_t{1} << kPlaceBits) - 1) << 8U)) == 0;
  }
  // The same for these bytes alone; nobody if there are none.
  [[nodiscard]] constexpr Entry within(ByteMask bytes) const noexcept {
    const std::uint64_t left = word_ & (~std::uint64_t{kAllBytes} | bytes);
    return (left & kAllBytes) == 0 ? Entry{} : of_word(left);
  }
  [[nodiscard]] constexpr Entry at_place(PlaceId place, ByteMask bytes) const noexcept {
    const std::uint64_t doing = word_ >> (8U + kPlaceBits) << (8U + kPlaceBits);
    return of_word(doing | std::uint64_t{place} << 8U | bytes);
  }
  // Adds the bytes of the other, of the same doing at the same place. False: it is unchanged.
  [[nodiscard]] constexpr bool merge(Entry other) noexcept {
    if ((word_ ^ other.word_) >> 8U != 0) return false;
    word_ |= other.word_;
    return true;
  }
  friend bool operator==(const Entry&, const Entry&) = default;

 private:
  static constexpr std::uint64_t kWrites = std::uint64_t{1} << (8U + kPlaceBits);
  static_assert(kWrites == events::QuickStepCell::kWrites);

  std::uint64_t word_;
};

using Entries = std::array<Entry, 3>;

struct alignas(32) Cell {
  std::uint64_t head;  // the shadow's: shadow/version_lock.hpp
  Entries entries;

  // The bytes of `among`, which is not empty, that have the same entries as its lowest.
  [[nodiscard]] constexpr ByteMask like_lowest_of(ByteMask among) const noexcept {
    const ByteMask lowest = among & (~among + 1);
    for (const Entry& entry : entries) {
      among &= (entry.bytes() & lowest) != 0 ? entry.bytes() : ~entry.bytes();
    }
    return among;
  }
  // The entries for these bytes alone.
  [[nodiscard]] constexpr Cell within(ByteMask bytes) const noexcept {
    return {0, {entries[0].within(bytes), entries[1].within(bytes), entries[2].within(bytes)}};
  }
};
static_assert(sizeof(Cell) == sizeof(events::QuickStepCell) && std::is_trivial_v<Cell> &&
              std::has_unique_object_representations_v<Cell>);

struct CellPolicy {
  using Cell = shared_history::Cell;
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

}  // namespace anyorder::detect::shared_history
