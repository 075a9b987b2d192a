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

  // Whether an entry says that the step has written all of these bytes.
  [[nodiscard, gnu::always_inline]] bool knows_write(std::uint32_t step, std::uint32_t bytes) const noexcept {
    const std::uint64_t mask = std::uint64_t{~std::uint32_t{0}} << 32U | kWrites | bytes;
    const std::uint64_t wanted = std::uint64_t{step} << 32U | kWrites | bytes;
    for (const std::uint64_t& entry : entries) {
      if ((__atomic_load_n(&entry, __ATOMIC_ACQUIRE) & mask) == wanted) return true;
    }
    return false;
  }
};
static_assert(sizeof(QuickStepCell) == 32);

// Which entries a read of some bytes left as they were, as far as one thread has seen it: where two have read
// in parallel, a third one mostly is no news. That follows from the step, the bytes and the entries alone,
// whatever the places are, and whoever has written if that is past; and steps lie to each other the same way
// for ever. So nothing is forgotten but for room.
class QuickQuietReads {
 public:
  using Entries = std::array<std::uint64_t, 3>;  // of a QuickStepCell

  [[nodiscard, gnu::always_inline]] bool knows(std::uint32_t step, std::uint32_t bytes,
                                               const Entries& entries, std::uint32_t past) const noexcept {
    const Entries keys{key_of(entries[0], past), key_of(entries[1], past), key_of(entries[2], past)};
    const Known& known = known_[slot_of(bytes, keys)];
    return known.step == step && (bytes & ~known.bytes) == 0 &&
           ((keys[0] ^ known.keys[0]) | (keys[1] ^ known.keys[1]) | (keys[2] ^ known.keys[2])) == 0;
  }
  void add(std::uint32_t step, std::uint32_t bytes, const Entries& entries, std::uint32_t past) noexcept {
    const Known known{
        {key_of(entries[0], past), key_of(entries[1], past), key_of(entries[2], past)}, step, bytes};
    known_[slot_of(bytes, known.keys)] = known;
  }

 private:
  struct Known {
    Entries keys;
    std::uint32_t step;  // 0: empty
    std::uint32_t bytes;
  };
  static constexpr std::uint64_t kPlaces = QuickStepCell::kWrites - 1 - QuickAccess::kBytes;

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
  std::array<Known, kKnown> known_{};
};

// Whether an entry says that the step did so, or it is known to be quiet; who writes need not read.
[[nodiscard, gnu::always_inline]] inline bool is_known_read(const QuickStepCell& cell, std::uint32_t step,
                                                            std::uint32_t bytes, const QuickQuietReads* quiet,
                                                            const std::uint32_t* past) noexcept {
  const std::uint64_t version = __atomic_load_n(&cell.version, __ATOMIC_ACQUIRE);
  const QuickQuietReads::Entries entries{__atomic_load_n(&cell.entries[0], __ATOMIC_ACQUIRE),
                                         __atomic_load_n(&cell.entries[1], __ATOMIC_ACQUIRE),
                                         __atomic_load_n(&cell.entries[2], __ATOMIC_ACQUIRE)};
  const std::uint64_t mask = std::uint64_t{~std::uint32_t{0}} << 32U | bytes;
  const std::uint64_t wanted = std::uint64_t{step} << 32U | bytes;
  for (const std::uint64_t entry : entries) {
    if ((entry & mask) == wanted) return true;
  }
  // Quiet is what the cell was at one moment: shadow/version_lock.hpp.
  return (version & QuickStepCell::kUnsteady) == 0 && quiet != nullptr &&
         quiet->knows(step, bytes, entries, __atomic_load_n(past, __ATOMIC_RELAXED)) &&
         __atomic_load_n(&cell.version, __ATOMIC_RELAXED) == version;
}

// Whether an access of an instruction is known: one of the step itself, or a read that is quiet. Not aligned:
// not known. `quiet` is the thread's; null: it has none.
template <Access kAccess, unsigned kBytes>
[[gnu::always_inline]] inline bool is_known(const QuickSteps& detector, const QuickQuietReads* quiet,
                                            const void* task, std::uintptr_t address) noexcept {
  constexpr std::uintptr_t kWindow = std::uintptr_t{1} << QuickCell::kAddressBits;
  constexpr unsigned kWord = QuickCell::kWordBytes;
  if (detector.cells == nullptr || address % kBytes != 0) return false;
  const auto slot = reinterpret_cast<std::uintptr_t>(task);
  const std::uint32_t step = __atomic_load_n(
      reinterpret_cast<std::uint32_t*>(detector.steps + (slot << detector.shift)), __ATOMIC_RELAXED);
  if (step == 0) return false;
  const auto* const cell =
      reinterpret_cast<const QuickStepCell*>(detector.cells) + (address & (kWindow - 1)) / kWord;
  const auto is_no_news = [&](const QuickStepCell& seen, std::uint32_t bytes) __attribute__((always_inline)) {
    if constexpr (kAccess == Access::read) {
      return is_known_read(seen, step, bytes, quiet, detector.past);
    } else {
      return seen.knows_write(step, bytes);
    }
  };
  if constexpr (kBytes > kWord) {
    return is_no_news(cell[0], QuickAccess::kBytes) && is_no_news(cell[1], QuickAccess::kBytes);
  } else {
    return is_no_news(*cell, QuickCell::bytes_of(address, kBytes));
  }
}

}  // namespace anyorder::events

extern "C" {
[[gnu::visibility("default")]] extern anyorder::events::QuickSteps anyorder_quick_steps_2;
// The calling thread's; null: none.
[[gnu::visibility("default")]] extern constinit thread_local const anyorder::events::QuickQuietReads*
    anyorder_quick_quiet_2;
}
