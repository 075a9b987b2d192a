// Accesses to parts of a word that come from several places one after the other, as those of members of a
// struct or of the bytes of a number do: they are put off until they are all of the word, and are then one
// access of it, at a place that stands for all of theirs. Otherwise the cell would have to tell the parts
// apart again and again. Words of which the step does not access all are accessed in parts, after all.
//
// Contract: as quick_runs.hpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"
#include "events/quick_lines.hpp"

namespace anyorder::events {

// What is put off of a word; these go by address.
[[nodiscard, gnu::always_inline]] inline std::size_t word_slot_of(std::uintptr_t address) noexcept {
  return address / QuickCell::kWordBytes % kQuickWords;
}

// Places of several accesses, in their order. No return address is there, nor is a group (site_group.hpp).
inline constexpr std::uintptr_t kGathered = std::uintptr_t{1} << 63U;
[[nodiscard]] constexpr std::uintptr_t gathered_with(std::uintptr_t places, std::uint32_t marks) noexcept {
  constexpr unsigned kBits = 56;
  return ((places ^ marks) * 0x9e37'79b9'7f4a'7c15U >> (64U - kBits)) | kGathered;
}

// Whether a part of a word is put off, and need not be made now. settle(word) makes what was put off of
// another one; and all of this one, once it is there.
template <Access kAccess, unsigned kBytes, class Settle>
[[nodiscard, gnu::always_inline]] inline bool gathers(QuickThread& own, std::uintptr_t address,
                                                      std::uintptr_t pc, std::uintptr_t frame,
                                                      Settle settle) noexcept {
  static_assert(kBytes < QuickCell::kWordBytes);
  QuickPlace& place = quick_place_of(own, pc);
  if (!place.is(pc, own.context) || place.fails == QuickPlace::kMostFails) return false;
  if (address % kBytes != 0 || address - frame < own.stack_top - frame) return false;
  const std::uint32_t bytes = QuickCell::bytes_of<kBytes>(address);
  // What changes nothing need not wait.
  if (kAccess == Access::read && QuickCell::at(own.cells, address).stays(own, bytes)) return false;
  const std::size_t slot = word_slot_of(address);
  QuickWord& word = own.words[slot];
  const std::uintptr_t begin = address - address % QuickCell::kWordBytes;
  constexpr bool kWrites = kAccess == Access::write;
  if (word.begin != begin || word.writes != kWrites || word.context != own.context) {
    if (word.begin != 0) settle(word);
    word.begin = begin;
    word.context = own.context;
    word.places = 0;
    word.bytes = 0;
    word.count = 0;
    word.writes = kWrites;
    own.words_there |= std::uint64_t{1} << slot;
  }
  // What the step has done to the line may have been displaced: a part comes again then.
  if ((bytes & ~word.bytes) != 0) {
    word.parts[word.count++] = {pc, place.marks | bytes};
    word.places = gathered_with(word.places, place.marks | bytes);
    word.bytes |= bytes;
  }
  remember<kAccess>(remembered_line(own, address), bytes_in_line<kBytes>(address));
  count_made<kAccess>(own);
  if (word.bytes == QuickAccess::kBytes) settle(word);
  return true;
}

// What was put off of words; nothing is afterwards.
template <class Settle>
inline void end_words(QuickThread& own, Settle settle) noexcept {
  for (std::uint64_t left = own.words_there; left != 0; left &= left - 1) {
    QuickWord& word = own.words[std::countr_zero(left)];
    if (word.begin != 0) settle(word);
  }
  own.words_there = 0;
}

}  // namespace anyorder::events
