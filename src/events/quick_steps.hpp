// What events/quick.hpp is for serial detectors, for those that run in parallel: whether the step that a task
// is in has made such an access before, seen from the word's cell. Then another one is no news. (Who has
// changed the word meanwhile races with the step, and has told.)
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

namespace anyorder::events {

struct QuickSteps {
  char* cells;           // of address 0; null: the detector takes no part
  std::uintptr_t steps;  // the number of a task's step, 32 bits, is at steps + (slot << shift); 0: none yet
  unsigned shift;
  const std::uint32_t* past;  // steps with lower numbers precede all that are not over
};

// For each aligned word of 8 bytes.
struct QuickStepCell {
  static constexpr std::uint64_t kWrites = std::uint64_t{1} << 31U;
  static constexpr std::uint64_t kUnsteady = 3;

  std::uint64_t version;  // of the entries; with a bit of kUnsteady they are not to be looked at as a whole
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
    const std::uint64_t others = (entries[1] ^ last_.entries[1]) | (entries[2] ^ last_.entries[2]);
    if ((others & ~kPlaces) == 0 && key_of(entries[0], past) == last_.entries[0] && last_.step == step &&
        (bytes & ~last_.bytes) == 0) {
      return true;
    }
    return is_of(here_[here_of(cell)], step, bytes, entries);
  }
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
  void add(std::uint32_t step, std::uint32_t bytes, const Entries& entries, std::uint32_t past) noexcept {
    const Entries keys = keys_of(entries, past);
    known_[slot_of(bytes, keys)] = {keys, step, bytes};
  }

 private:
  struct Known {
    Entries entries;
    std::uint32_t step;  // 0: empty
    std::uint32_t bytes;
  };
  static constexpr std::uint64_t kPlaces = QuickStepCell::kWrites - 1 - QuickAccess::kBytes;

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
    return (version & QuickStepCell::kUnsteady) == 0 &&
           __atomic_load_n(&cell.version, __ATOMIC_RELAXED) == version;
  }
  [[nodiscard, gnu::always_inline]] bool all_before(std::uint32_t step) const noexcept {
    return entries[0] >> 32U < step && entries[1] >> 32U < step && entries[2] >> 32U < step;
  }
  // Whether an entry says that the step did this to all of these bytes; who writes need not read.
  template <Access kAccess>
  [[nodiscard, gnu::always_inline]] bool has(std::uint32_t step, std::uint32_t bytes) const noexcept {
    const std::uint64_t low = (kAccess == Access::write ? QuickStepCell::kWrites : 0) | bytes;
    const std::uint64_t mask = std::uint64_t{~std::uint32_t{0}} << 32U | low;
    const std::uint64_t wanted = std::uint64_t{step} << 32U | low;
    return (entries[0] & mask) == wanted || (entries[1] & mask) == wanted || (entries[2] & mask) == wanted;
  }
};

// The step that a task is in, for one access or several: no task operation comes between them.
class QuickStep {
 public:
  // `quiet` is the thread's; null: it has none.
  [[gnu::always_inline]] QuickStep(const QuickSteps& detector, QuickQuietReads* quiet,
                                   const void* task) noexcept
      : cells_(reinterpret_cast<const QuickStepCell*>(detector.cells)), quiet_(quiet), past_(detector.past) {
    if (cells_ == nullptr) return;
    const auto slot = reinterpret_cast<std::uintptr_t>(task);
    step_ = __atomic_load_n(reinterpret_cast<std::uint32_t*>(detector.steps + (slot << detector.shift)),
                            __ATOMIC_RELAXED);
  }

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
        address, [this](const QuickStepCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
          const QuickLook seen(cell);
          if (seen.has<kAccess>(step_, bytes)) return true;
          return kAccess == Access::read && quiet_ != nullptr &&
                 quiet_->knows_here(cell, step_, bytes, seen.entries,
                                    __atomic_load_n(past_, __ATOMIC_RELAXED)) &&
                 seen.is_steady(cell);
        });
  }
  // and what remains, of reads. Where all is past, a read is news.
  template <unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool is_quiet(std::uintptr_t address) const noexcept {
    if (quiet_ == nullptr) return false;
    const std::uint32_t past = __atomic_load_n(past_, __ATOMIC_RELAXED);
    return holds<kBytes>(
        address, [&](const QuickStepCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
          const QuickLook seen(cell);
          return !seen.all_before(past) &&
                 (seen.has<Access::read>(step_, bytes) ||
                  (quiet_->knows(cell, step_, bytes, seen.entries, past) && seen.is_steady(cell)));
        });
  }

 private:
  // Whether the test holds for the cells of the access.
  template <unsigned kBytes, class Test>
  [[nodiscard, gnu::always_inline]] bool holds(std::uintptr_t address, Test test) const noexcept {
    constexpr std::uintptr_t kWindow = std::uintptr_t{1} << QuickCell::kAddressBits;
    constexpr unsigned kWord = QuickCell::kWordBytes;
    if (step_ == 0 || address % kBytes != 0) return false;
    const QuickStepCell* const cell = cells_ + (address & (kWindow - 1)) / kWord;
    if constexpr (kBytes > kWord) {
      return test(cell[0], QuickAccess::kBytes) && test(cell[1], QuickAccess::kBytes);
    } else {
      return test(*cell, QuickCell::bytes_of(address, kBytes));
    }
  }

  const QuickStepCell* cells_;
  QuickQuietReads* quiet_;
  const std::uint32_t* past_;
  std::uint32_t step_ = 0;  // 0: none yet
};

}  // namespace anyorder::events

extern "C" {
[[gnu::visibility("default")]] extern anyorder::events::QuickSteps anyorder_quick_steps_2;
// The calling thread's; null: none.
[[gnu::visibility(
    "default")]] extern constinit thread_local anyorder::events::QuickQuietReads* anyorder_quick_quiet_2;
}
