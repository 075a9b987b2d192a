// What events/quick.hpp is for serial detectors, for those that run in parallel: whether the step that a task
// is in has made such an access before, seen from the word's cell. Then another one is no news. (Who has
// changed the word meanwhile races with the step, and has told.) And what follows if all others that have
// accessed the word precede the step: its own entry takes the place of theirs.
//
// This, too, is an interface between objects that were compiled at different times: as there, names have
// numbers.
//
// Contract: the thread runs the task. Others may change the cell at any time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"
#include "events/versioned_words.hpp"

namespace anyorder::events {

struct QuickSteps {
  char* cells;           // of address 0; null: the detector takes no part
  std::uintptr_t steps;  // the number of a task's step, 32 bits, is at steps + (slot << shift); 0: none yet
  unsigned shift;
  const std::uint32_t* past;  // steps with lower numbers precede all that are not over
  StretchLocks* locks;        // of the cells
  // Whether cells are in use, a byte for each so many bytes of memory. Where it is 0, nothing may be changed.
  const char* in_use;
  static constexpr std::size_t kInUse = 1024;
};

// For each aligned word of 8 bytes.
struct QuickStepCell {
  static constexpr std::uint64_t kWrites = std::uint64_t{1} << 31U;
  std::uint64_t version;  // of the entries: CellVersion
  // A step's number in the upper half; whether it wrote; in the lowest 8 bits the bytes, one each.
  std::uint64_t entries[3];
};
static_assert(sizeof(QuickStepCell) == 32);

// Which entries a read of some bytes left as they were, as far as one thread has seen it: where two have read
// in parallel, a third one mostly is no news. That follows from the step, the bytes and the entries alone,
// whatever the places are, and whoever has written if that is past; and steps lie to each other the same way
// for ever. So nothing is forgotten but for room.
class QuickQuietReads {
 public:
  using Entries = std::array<std::uint64_t, 3>;  // of a QuickStepCell

  // Whether it found such ones last time, or these there: a loop reads what is alike, or the same again.
  [[nodiscard, gnu::always_inline]] bool knows_here(const QuickStepCell& cell, std::uint32_t step,
                                                    std::uint32_t bytes, const Entries& entries,
                                                    std::uint32_t past) const noexcept {
    if (is_like(last_, entries, past) && last_.step == step && (bytes & ~last_.bytes) == 0) return true;
    return is_of(here_[here_of(cell)], step, bytes, entries);
  }
  // Of cells that `cell_of(i)` names, from the first on: how many have such ones as it found last time.
  template <class CellOf>
  [[nodiscard]] std::size_t count_like_last(std::size_t count, std::uint32_t step, std::uint32_t bytes,
                                            std::uint32_t past, CellOf cell_of) const noexcept;
  // Whether they are known from other cells.
  [[nodiscard, gnu::always_inline]] bool knows(const QuickStepCell& cell, std::uint32_t step,
                                               std::uint32_t bytes, const Entries& entries,
                                               std::uint32_t past) noexcept {
    const Entries keys = keys_of(entries, past);
    const Known& known = known_[slot_of(bytes, keys)];
    if (!is_of(known, step, bytes, keys)) return false;
    here_[here_of(cell)] = {entries, step, known.bytes};
    last_ = {{keys[0], entries[1], entries[2]}, step, known.bytes};
    return true;
  }
  // That such a read was quiet, of this cell.
  void add(const QuickStepCell& cell, std::uint32_t step, std::uint32_t bytes, const Entries& entries,
           std::uint32_t past) noexcept {
    const Entries keys = keys_of(entries, past);
    known_[slot_of(bytes, keys)] = {keys, step, bytes};
    here_[here_of(cell)] = {entries, step, bytes};
  }

 private:
  struct Known {
    Entries entries;
    std::uint32_t step;  // 0: empty
    std::uint32_t bytes;
  };
  static constexpr std::uint64_t kPlaces = QuickStepCell::kWrites - 1 - QuickAccess::kBytes;

  // Of the last one.
  [[nodiscard, gnu::always_inline]] static bool is_like(const Known& last, const Entries& entries,
                                                        std::uint32_t past) noexcept {
    const std::uint64_t others = (entries[1] ^ last.entries[1]) | (entries[2] ^ last.entries[2]);
    return (others & ~kPlaces) == 0 && key_of(entries[0], past) == last.entries[0];
  }
  [[nodiscard, gnu::always_inline]] static bool is_of(const Known& known, std::uint32_t step,
                                                      std::uint32_t bytes, const Entries& entries) noexcept {
    return known.step == step && (bytes & ~known.bytes) == 0 &&
           ((entries[0] ^ known.entries[0]) | (entries[1] ^ known.entries[1]) |
            (entries[2] ^ known.entries[2])) == 0;
  }
  [[gnu::always_inline]] static std::size_t here_of(const QuickStepCell& cell) noexcept {
    return reinterpret_cast<std::uintptr_t>(&cell) / sizeof cell % kHere;
  }
  [[gnu::always_inline]] static Entries keys_of(const Entries& entries, std::uint32_t past) noexcept {
    return {key_of(entries[0], past), key_of(entries[1], past), key_of(entries[2], past)};
  }
  [[gnu::always_inline]] static std::uint64_t key_of(std::uint64_t entry, std::uint32_t past) noexcept {
    const bool past_writer = (entry & QuickStepCell::kWrites) != 0 && entry >> 32U < past;
    return past_writer ? 0 : entry & ~kPlaces;
  }
  [[gnu::always_inline]] static std::size_t slot_of(std::uint32_t bytes, const Entries& keys) noexcept {
    // The same ones in another order have another slot: a loop may meet both in turns.
    const std::uint64_t steps = (keys[0] >> 32U) + (keys[1] >> 32U) * 3 + (keys[2] >> 32U) * 5;
    return (steps * 2 + (bytes > 0xf ? 1 : 0)) % kKnown;
  }

  static constexpr std::size_t kKnown = 256;
  static constexpr std::size_t kHere = 128;
  std::array<Known, kKnown> known_{};
  Known last_{};                     // with the key of the first entry, and the others as they are
  std::array<Known, kHere> here_{};  // with entries as they are
};

// Steps that precede one step, some of them.
class QuickPreceding {
 public:
  // The step that they precede from now on. What precedes a step precedes those that the order says it goes
  // on in.
  template <class Order>
  [[gnu::always_inline]] void begin(std::uint32_t own, const Order& order) noexcept {
    if (!is_of(own)) move_to(own, order);
  }
  [[nodiscard, gnu::always_inline]] bool is_of(std::uint32_t own) const noexcept { return of_ == own; }
  [[nodiscard, gnu::always_inline]] bool has(std::uint32_t other) const noexcept {
    return steps_[other % kKnown] == other;
  }
  void add(std::uint32_t other) noexcept { steps_[other % kKnown] = other; }

 private:
  template <class Order>
  [[gnu::noinline]] void move_to(std::uint32_t own, const Order& order) noexcept {
    if (of_ != 0 && order.goes_on_in(of_, own)) {
      add(of_);
    } else {
      steps_ = {};
    }
    of_ = own;
  }

  static constexpr std::size_t kKnown = 32;
  std::uint32_t of_ = 0;  // 0: nobody
  std::array<std::uint32_t, kKnown> steps_{};
};

// How entries of one step that did the same at different places became one lately: with a place that stands
// for both, and tells them apart by the byte.
class QuickMerges {
 public:
  // The entry with the bytes of the other, too. False: its place is not known here.
  [[nodiscard, gnu::always_inline]] bool merge(std::uint64_t entry, std::uint64_t other,
                                               std::uint64_t& both) const noexcept {
    both = entry | (other & QuickAccess::kBytes);
    if (place_of(entry) == place_of(other)) return true;
    const Known& known = known_[slot_of(key_of(entry), key_of(other))];
    if (known.entry != key_of(entry) || known.other != key_of(other)) return false;
    both ^= place_of(entry) ^ known.place;
    return true;
  }
  // That it is this one.
  void add(std::uint64_t entry, std::uint64_t other, std::uint64_t both) noexcept {
    known_[slot_of(key_of(entry), key_of(other))] = {key_of(entry), key_of(other), place_of(both)};
  }

 private:
  // Place and bytes.
  static constexpr std::uint32_t key_of(std::uint64_t entry) noexcept {
    return static_cast<std::uint32_t>(entry & (QuickStepCell::kWrites - 1));
  }
  static constexpr std::uint32_t place_of(std::uint64_t entry) noexcept {
    return key_of(entry) & ~QuickAccess::kBytes;
  }
  static constexpr std::size_t slot_of(std::uint32_t entry, std::uint32_t other) noexcept {
    return ((entry >> 8U) * 31U + (other >> 8U) * 7U + entry + other * 3U) % kKnown;
  }

  struct Known {
    std::uint32_t entry;
    std::uint32_t other;
    std::uint32_t place;  // in its place in an entry
  };
  static constexpr std::size_t kKnown = 256;
  std::array<Known, kKnown> known_{};
};

// What a thread has found out about steps.
struct QuickKnown {
  QuickQuietReads quiet;
  QuickPreceding preceding;
  QuickMerges merges;
};

// The first one. False: there is none. (Without a loop, for which the entries would go to memory.)
[[nodiscard, gnu::always_inline]] inline bool put_in_free_place(std::uint64_t made,
                                                                QuickQuietReads::Entries& entries) noexcept {
  if (entries[0] == 0) {
    entries[0] = made;
  } else if (entries[1] == 0) {
    entries[1] = made;
  } else if (entries[2] == 0) {
    entries[2] = made;
  } else {
    return false;
  }
  return true;
}

// What an access does if all entries that have bytes of it are known to precede the step: its own, `made`,
// takes their place for these bytes; a read leaves the writer. If the step has done so to other bytes, it is
// the same entry. False: it is not so simple, and `after` undefined.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline bool replace_preceding(const QuickQuietReads::Entries& entries,
                                                                std::uint64_t made, std::uint32_t past,
                                                                const QuickKnown& known,
                                                                QuickQuietReads::Entries& after) noexcept {
  constexpr bool kWrites = kAccess == Access::write;
  const auto own = static_cast<std::uint32_t>(made >> 32U);
  bool is_there = false;
  const auto replace = [&](std::uint64_t entry, std::uint64_t & to) __attribute__((always_inline)) {
    const auto step = static_cast<std::uint32_t>(entry >> 32U);
    const bool writes = (entry & QuickStepCell::kWrites) != 0;
    to = entry;
    if (entry == 0) return true;
    if (step == own && writes == kWrites) {  // they are one
      is_there = true;
      return known.merges.merge(entry, made, to);
    }
    if ((entry & made & QuickAccess::kBytes) == 0) return true;
    if (kWrites || !writes) {
      to = entry & ~(made & QuickAccess::kBytes);
      if ((to & QuickAccess::kBytes) == 0) to = 0;
    }
    if (step < past) return true;
    if (step == own) return kWrites;  // who has read need not have
    return known.preceding.is_of(own) && known.preceding.has(step);
  };
  if (!replace(entries[0], after[0]) || !replace(entries[1], after[1]) || !replace(entries[2], after[2])) {
    return false;
  }
  if (is_there) return true;
  return put_in_free_place(made, after);
}

// The same where all entries are past, so that none is of a step that is not over.
template <Access kAccess, unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline bool replace_past(const QuickQuietReads::Entries& entries,
                                                           std::uint64_t made,
                                                           QuickQuietReads::Entries& after) noexcept {
  constexpr bool kWrites = kAccess == Access::write;
  constexpr bool kWhole = kBytes >= QuickCell::kWordBytes;
  const auto left = [made](std::uint64_t entry) __attribute__((always_inline)) {
    if (!kWrites && (entry & QuickStepCell::kWrites) != 0) return entry;
    if (kWhole) return std::uint64_t{0};
    const std::uint64_t rest = entry & ~(made & QuickAccess::kBytes);
    return (rest & QuickAccess::kBytes) == 0 ? 0 : rest;
  };
  after = {left(entries[0]), left(entries[1]), left(entries[2])};
  return put_in_free_place(made, after);
}

// What an access of an instruction is to a step: nothing new; new, where all entries of its first cell are
// past; or something else.
enum class QuickNews : std::uint8_t { none, after_past, other };

// How a cell is looked at.
struct QuickLook {
  std::uint64_t version;
  QuickQuietReads::Entries entries;

  [[gnu::always_inline]] explicit QuickLook(const QuickStepCell& cell) noexcept
      : version(__atomic_load_n(&cell.version, __ATOMIC_ACQUIRE)),
        entries{__atomic_load_n(&cell.entries[0], __ATOMIC_ACQUIRE),
                __atomic_load_n(&cell.entries[1], __ATOMIC_ACQUIRE),
                __atomic_load_n(&cell.entries[2], __ATOMIC_ACQUIRE)} {}
  // The entries are what the cell had at one moment: shadow/version_lock.hpp.
  [[nodiscard, gnu::always_inline]] bool is_steady(const QuickStepCell& cell) const noexcept {
    return is_whole() && __atomic_load_n(&cell.version, __ATOMIC_RELAXED) == version;
  }
  [[nodiscard, gnu::always_inline]] bool all_before(std::uint32_t step) const noexcept {
    const std::uint64_t first = std::uint64_t{step} << 32U;
    return entries[0] < first && entries[1] < first && entries[2] < first;
  }
  // The same of a cell, one entry after the other.
  [[nodiscard, gnu::always_inline]] static bool all_before(const QuickStepCell& cell,
                                                           std::uint32_t step) noexcept {
    const std::uint64_t first = std::uint64_t{step} << 32U;
    return __atomic_load_n(&cell.entries[0], __ATOMIC_ACQUIRE) < first &&
           __atomic_load_n(&cell.entries[1], __ATOMIC_ACQUIRE) < first &&
           __atomic_load_n(&cell.entries[2], __ATOMIC_ACQUIRE) < first;
  }
  // Neither split nor, when it was looked at, being changed.
  [[nodiscard, gnu::always_inline]] bool is_whole() const noexcept {
    return (version & CellVersion::kUnsteady) == 0;
  }
  // Under the lock: makes them others, if they still are those that were seen. (Then what follows from them
  // follows from entries of one moment.)
  [[nodiscard, gnu::always_inline]] bool change(QuickStepCell& cell,
                                                const QuickQuietReads::Entries& after) const noexcept {
    auto* const words = &cell.version;
    if (__atomic_load_n(words, __ATOMIC_RELAXED) != version) [[unlikely]]
      return false;
    change_words<4>(words, version, {0, after[0], after[1], after[2]}, version + CellVersion::kNext);
    return true;
  }
  // Whether an entry says that the step did this to all of these bytes; who writes need not read.
  template <Access kAccess>
  [[nodiscard, gnu::always_inline]] bool has(std::uint32_t step, std::uint32_t bytes) const noexcept {
    return any_has<kAccess>(
        step, bytes, [&](std::size_t i) __attribute__((always_inline)) { return entries[i]; });
  }
  // The same of a cell, one entry after the other.
  template <Access kAccess>
  [[nodiscard, gnu::always_inline]] static bool has(const QuickStepCell& cell, std::uint32_t step,
                                                    std::uint32_t bytes) noexcept {
    return any_has<kAccess>(
        step, bytes, [&](std::size_t i) __attribute__((always_inline)) {
          return __atomic_load_n(&cell.entries[i], __ATOMIC_ACQUIRE);
        });
  }

 private:
  template <Access kAccess, class EntryOf>
  [[nodiscard, gnu::always_inline]] static bool any_has(std::uint32_t step, std::uint32_t bytes,
                                                        EntryOf entry_of) noexcept {
    const std::uint64_t low = (kAccess == Access::write ? QuickStepCell::kWrites : 0) | bytes;
    const std::uint64_t mask = std::uint64_t{~std::uint32_t{0}} << 32U | low;
    const std::uint64_t wanted = std::uint64_t{step} << 32U | low;
    return (entry_of(0) & mask) == wanted || (entry_of(1) & mask) == wanted || (entry_of(2) & mask) == wanted;
  }
};

template <class CellOf>
inline std::size_t QuickQuietReads::count_like_last(std::size_t count, std::uint32_t step,
                                                    std::uint32_t bytes, std::uint32_t past,
                                                    CellOf cell_of) const noexcept {
  const Known last = last_;
  if (last.step != step || (bytes & ~last.bytes) != 0) return 0;
  for (std::size_t i = 0; i != count; ++i) {
    const QuickStepCell& cell = cell_of(i);
    const QuickLook seen(cell);
    if (!is_like(last, seen.entries, past) || !seen.is_steady(cell)) return i;
  }
  return count;
}

// The step that a task is in, for one access or several: no task operation comes between them.
class QuickStep {
 public:
  // `known` is the thread's; null: it has none.
  [[gnu::always_inline]] QuickStep(const QuickSteps& detector, QuickKnown* known, const void* task) noexcept
      : QuickStep(detector, known, std::uint32_t{0}) {
    if (cells_ == nullptr) return;
    const auto slot = reinterpret_cast<std::uintptr_t>(task);
    step_ = __atomic_load_n(reinterpret_cast<std::uint32_t*>(detector.steps + (slot << detector.shift)),
                            __ATOMIC_RELAXED);
  }
  // The one with this number.
  [[gnu::always_inline]] QuickStep(const QuickSteps& detector, QuickKnown* known, std::uint32_t step) noexcept
      : cells_(reinterpret_cast<const QuickStepCell*>(detector.cells)),
        past_(detector.past),
        locks_(detector.locks),
        in_use_(detector.in_use),
        known_(known),
        step_(step) {}

  [[nodiscard, gnu::always_inline]] std::uint32_t number() const noexcept { return step_; }

  // Whether an access of an instruction is known: one of the step itself, or a read that is quiet. Not
  // aligned: not known.
  template <Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool knows(std::uintptr_t address) const noexcept {
    return knows_at_once<kAccess, kBytes>(address) || (kAccess == Access::read && is_quiet<kBytes>(address));
  }
  // What can be said at once,
  template <Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool knows_at_once(std::uintptr_t address) const noexcept {
    return holds<kBytes>(
        address, [&](const QuickStepCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
          const QuickLook seen(cell);
          if (seen.has<kAccess>(step_, bytes)) return true;
          return kAccess == Access::read && known_ != nullptr &&
                 known_->quiet.knows_here(cell, step_, bytes, seen.entries, past()) && seen.is_steady(cell);
        });
  }
  // which is that the step has done it, or (in two looks, which takes fewer registers)
  template <Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool has(std::uintptr_t address) const noexcept {
    return holds<kBytes>(
        address, [&](const QuickStepCell& cell, std::uint32_t bytes)
                     __attribute__((always_inline)) { return QuickLook(cell).has<kAccess>(step_, bytes); });
  }
  // that such a read was quiet last time, or there;
  template <unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool is_quiet_here(std::uintptr_t address) const noexcept {
    if (known_ == nullptr) return false;
    return holds<kBytes>(
        address, [&](const QuickStepCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
          const QuickLook seen(cell);
          return known_->quiet.knows_here(cell, step_, bytes, seen.entries, past()) && seen.is_steady(cell);
        });
  }
  // Whether two have read all of the bytes, or of the first word of them, one of which may be the step
  // itself.
  template <unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool has_two_readers(std::uintptr_t address) const noexcept {
    const QuickStepCell& cell = cells_[offset_of(address) / QuickCell::kWordBytes];
    const std::uint32_t bytes = bytes_in_word<kBytes>(address);
    const auto reads = [&](std::size_t i) __attribute__((always_inline)) {
      const std::uint64_t entry = __atomic_load_n(&cell.entries[i], __ATOMIC_RELAXED);
      return (entry & (QuickStepCell::kWrites | bytes)) == bytes;
    };
    return reads(1) && (reads(0) || reads(2));
  }
  // Of words in sequence, by a stride of words: how many of them, from the first on.
  [[nodiscard, gnu::always_inline]] std::size_t count_quiet(std::uintptr_t address, std::ptrdiff_t stride,
                                                            std::size_t count) const noexcept {
    constexpr auto kWord = static_cast<std::ptrdiff_t>(QuickCell::kWordBytes);
    if (known_ == nullptr || step_ == 0 || address % kWord != 0 || stride % kWord != 0) return 0;
    return known_->quiet.count_like_last(
        count, step_, QuickAccess::kBytes,
        past(), [&](std::size_t i) __attribute__((always_inline))->const QuickStepCell& {
          return cells_[offset_of(address + i * static_cast<std::uintptr_t>(stride)) / QuickCell::kWordBytes];
        });
  }
  // and what remains, of reads. Where all is past, a read is news.
  template <unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool is_quiet(std::uintptr_t address) const noexcept {
    if (known_ == nullptr) return false;
    return holds<kBytes>(
        address, [&](const QuickStepCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
          const QuickLook seen(cell);
          return !seen.all_before(past()) &&
                 (seen.has<Access::read>(step_, bytes) ||
                  (known_->quiet.knows(cell, step_, bytes, seen.entries, past()) && seen.is_steady(cell)));
        });
  }

  // Whether the step has a number, has not made such an access (as has() says), and all others are past.
  template <Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] QuickNews look(std::uintptr_t address) const noexcept {
    if (step_ == 0 || address % kBytes != 0) return QuickNews::other;
    const QuickStepCell* const cell = cells_ + offset_of(address) / QuickCell::kWordBytes;
    const std::uint32_t bytes = bytes_in_word<kBytes>(address);
    if (QuickLook::has<kAccess>(cell[0], step_, bytes)) {
      if (kBytes <= QuickCell::kWordBytes || QuickLook::has<kAccess>(cell[1], step_, bytes)) {
        return QuickNews::none;
      }
      return QuickNews::other;
    }
    return QuickLook::all_before(*cell, past()) ? QuickNews::after_past : QuickNews::other;
  }

  // Makes an access of an instruction that is not known, where all others precede. `marks` are the place, 23
  // bits from the eighth on. False: not, or not all of it.
  template <Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool replace(std::uintptr_t address, std::uint32_t marks) const noexcept {
    if (known_ == nullptr) return false;
    return change<kAccess, kBytes>(
        address, marks,
        [&](const QuickLook& seen, std::uint64_t made, QuickQuietReads::Entries& after)
            __attribute__((always_inline)) {
              return replace_preceding<kAccess>(seen.entries, made, past(), *known_, after);
            });
  }
  // The same where all are past.
  template <Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool replace_past(std::uintptr_t address,
                                                      std::uint32_t marks) const noexcept {
    return change<kAccess, kBytes>(
        address, marks,
        [&](const QuickLook& seen, std::uint64_t made,
            QuickQuietReads::Entries& after) __attribute__((always_inline)) {
          return seen.all_before(past()) && events::replace_past<kAccess, kBytes>(seen.entries, made, after);
        });
  }

 private:
  static constexpr std::uintptr_t offset_of(std::uintptr_t address) noexcept {
    return address & ((std::uintptr_t{1} << QuickCell::kAddressBits) - 1);
  }
  // Of an aligned access.
  template <unsigned kBytes>
  [[gnu::always_inline]] static constexpr std::uint32_t bytes_in_word(std::uintptr_t address) noexcept {
    return kBytes < QuickCell::kWordBytes ? QuickCell::bytes_of(address, kBytes) : QuickAccess::kBytes;
  }
  [[nodiscard, gnu::always_inline]] std::uint32_t past() const noexcept {
    return __atomic_load_n(past_, __ATOMIC_RELAXED);
  }
  // Makes an access by after_of(look, its entry, after), which says what becomes of the entries, if anything.
  template <Access kAccess, unsigned kBytes, class AfterOf>
  [[nodiscard, gnu::always_inline]] bool change(std::uintptr_t address, std::uint32_t marks,
                                                AfterOf after_of) const noexcept {
    constexpr unsigned kWord = QuickCell::kWordBytes;
    constexpr std::uint64_t kKind = kAccess == Access::write ? QuickStepCell::kWrites : 0;
    if (step_ == 0 || address % kBytes != 0) return false;
    const char& in_use = in_use_[offset_of(address) / QuickSteps::kInUse];
    if (__atomic_load_n(&in_use, __ATOMIC_RELAXED) == 0) [[unlikely]]
      return false;
    QuickStepCell* const cell = const_cast<QuickStepCell*>(cells_) + offset_of(address) / kWord;
    const std::uint64_t step = std::uint64_t{step_} << 32U | kKind | marks;
    if constexpr (kBytes > kWord) {
      // An aligned pair is of one stretch.
      const QuickLook low(cell[0]);
      const QuickLook high(cell[1]);
      QuickQuietReads::Entries after_low;
      QuickQuietReads::Entries after_high;
      if (!low.is_whole() || !high.is_whole() || !after_of(low, step | QuickAccess::kBytes, after_low) ||
          !after_of(high, step | QuickAccess::kBytes, after_high)) {
        return false;
      }
      return under_lock(
          *cell, [&]() __attribute__((always_inline)) {
            return low.change(cell[0], after_low) && high.change(cell[1], after_high);
          });
    } else {
      const QuickLook seen(*cell);
      QuickQuietReads::Entries after;
      if (!seen.is_whole() || !after_of(seen, step | bytes_in_word<kBytes>(address), after)) return false;
      return under_lock(
          *cell, [&]() __attribute__((always_inline)) { return seen.change(*cell, after); });
    }
  }
  template <class Change>
  [[nodiscard, gnu::always_inline]] bool under_lock(const QuickStepCell& cell, Change change) const noexcept {
    StretchLock& lock = locks_->of<sizeof(QuickStepCell)>(&cell);
    if (!lock.try_lock()) [[unlikely]]
      return false;
    const bool changed = change();
    lock.unlock();
    return changed;
  }
  // Whether the test holds for the cells of the access.
  template <unsigned kBytes, class Test>
  [[nodiscard, gnu::always_inline]] bool holds(std::uintptr_t address, Test test) const noexcept {
    constexpr unsigned kWord = QuickCell::kWordBytes;
    if (step_ == 0 || address % kBytes != 0) return false;
    const QuickStepCell* const cell = cells_ + offset_of(address) / kWord;
    if constexpr (kBytes > kWord) {
      return test(cell[0], QuickAccess::kBytes) && test(cell[1], QuickAccess::kBytes);
    } else {
      return test(*cell, bytes_in_word<kBytes>(address));
    }
  }

  const QuickStepCell* cells_;
  const std::uint32_t* past_;
  StretchLocks* locks_;
  const char* in_use_;
  QuickKnown* known_;
  std::uint32_t step_;  // 0: none yet
};

}  // namespace anyorder::events

extern "C" {
[[gnu::visibility("default")]] extern anyorder::events::QuickSteps anyorder_quick_steps_3;
// The calling thread's; null: none.
[[gnu::visibility(
    "default")]] extern constinit thread_local anyorder::events::QuickKnown* anyorder_quick_known_4;
}
