// What the accesses of a step did to the cells of whole words and lines: the next one at the same place does
// the same to a cell that is equal, without another decision. In a tile of a matrix each row has the same few
// borders, and what the detector had to think about in the first one it need not in the others.
//
// Contract: of one thread and one detector. What an access of all bytes of a word does follows from the cell,
// the place and the epoch, which is another one after each task operation. An update that lets a cell refer
// to a log of readers also wants that to be noted for the cell's page.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::events {

class StepUpdates {
 public:
  struct alignas(64) Update {
    QuickCell before;
    QuickCell after;
    std::uint64_t key;
    std::uint32_t readers;  // that the access found, other than the task itself
    std::uint32_t effects;
  };
  enum Effects : std::uint32_t { kMakesLog = 1, kChanges = 2 };

  // Of an access at a place; `marks` are the place's word, as in QuickPlace. From 2^38 epochs on they may be
  // taken for others, which no run has: there are 2^31 tasks.
  template <Access kAccess>
  [[nodiscard]] static std::uint64_t key_of(std::uint64_t epoch, std::uint32_t marks) noexcept {
    return (epoch << 24U | marks >> 8U) << 1U | (kAccess == Access::write ? 1U : 0U);
  }

  // A cell in two registers.
  using Halves = std::array<std::uint64_t, 2>;
  [[nodiscard, gnu::always_inline]] static inline Halves halves_of(const QuickCell& cell) noexcept {
    return std::bit_cast<Halves>(cell);
  }

  // Null: it is not known.
  [[nodiscard, gnu::always_inline]] inline const Update* find(const QuickCell& cell,
                                                              std::uint64_t key) const noexcept {
    return find(halves_of(cell), key);
  }
  [[nodiscard, gnu::always_inline]] inline const Update* find(const Halves& cell,
                                                              std::uint64_t key) const noexcept {
    const Update& update = updates_[slot_of(cell)];
    const Halves before = halves_of(update.before);
    return ((before[0] ^ cell[0]) | (before[1] ^ cell[1]) | (update.key ^ key)) == 0 ? &update : nullptr;
  }
  // Neither cell is that of an open line or a split word.
  void learn(const QuickCell& before, const QuickCell& after, std::uint64_t key,
             std::uint32_t readers) noexcept {
    const bool makes_log =
        (after.reader.marks & QuickAccess::kMany) != 0 && (before.reader.marks & QuickAccess::kMany) == 0;
    const bool changes = !after.is_same(before);
    updates_[slot_of(halves_of(before))] = {before, after, key, readers,
                                            (makes_log ? kMakesLog : 0U) | (changes ? kChanges : 0U)};
  }

 private:
  static constexpr unsigned kSlotBits = 8;

  [[nodiscard, gnu::always_inline]] static inline std::size_t slot_of(const Halves& cell) noexcept {
    return (cell[0] ^ std::rotl(cell[1], 32)) * 0x9e37'79b9'7f4a'7c15U >> (64U - kSlotBits);
  }

  std::array<Update, std::size_t{1} << kSlotBits> updates_{};  // key 0 is none: epochs begin at 1
};

}  // namespace anyorder::events
