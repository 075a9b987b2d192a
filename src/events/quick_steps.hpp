// What events/quick.hpp is for serial detectors, for those that run in parallel: whether the step that a task
// is in has made such an access before, seen from the word's cell. Then another one is no news. (Who has
// changed the word meanwhile races with the step, and has told.)
//
// This, too, is an interface between objects that were compiled at different times: as there, names have
// numbers.
//
// Contract: the thread runs the task. Others may change the cell at any time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::events {

struct QuickSteps {
  char* cells;           // of address 0; null: the detector takes no part
  std::uintptr_t steps;  // the number of a task's step, 32 bits, is at steps + (slot << shift); 0: none yet
  unsigned shift;
};

// For each aligned word of 8 bytes.
struct QuickStepCell {
  static constexpr std::uint64_t kWrites = std::uint64_t{1} << 31U;

  std::uint64_t version;
  // A step's number in the upper half; whether it wrote; in the lowest 8 bits the bytes, one each.
  std::uint64_t entries[3];

  // Whether an entry says that the step did this to all of these bytes; who writes need not read.
  template <Access kAccess>
  [[nodiscard, gnu::always_inline]] bool knows(std::uint32_t step, std::uint32_t bytes) const noexcept {
    const std::uint64_t low = (kAccess == Access::write ? kWrites : 0) | bytes;
    const std::uint64_t mask = std::uint64_t{~std::uint32_t{0}} << 32U | low;
    const std::uint64_t wanted = std::uint64_t{step} << 32U | low;
    for (const std::uint64_t& entry : entries) {
      if ((__atomic_load_n(&entry, __ATOMIC_ACQUIRE) & mask) == wanted) return true;
    }
    return false;
  }
};
static_assert(sizeof(QuickStepCell) == 32);

// Whether an access of an instruction is known. Not aligned: not known.
template <Access kAccess, unsigned kBytes>
[[gnu::always_inline]] inline bool is_known(const QuickSteps& detector, const void* task,
                                            std::uintptr_t address) noexcept {
  constexpr std::uintptr_t kWindow = std::uintptr_t{1} << QuickCell::kAddressBits;
  constexpr unsigned kWord = QuickCell::kWordBytes;
  if (detector.cells == nullptr || address % kBytes != 0) return false;
  const auto slot = reinterpret_cast<std::uintptr_t>(task);
  const std::uint32_t step = __atomic_load_n(
      reinterpret_cast<std::uint32_t*>(detector.steps + (slot << detector.shift)), __ATOMIC_RELAXED);
  if (step == 0) return false;
  const auto* const cell =
      reinterpret_cast<const QuickStepCell*>(detector.cells) + (address & (kWindow - 1)) / kWord;
  if constexpr (kBytes > kWord) {
    return cell[0].knows<kAccess>(step, QuickAccess::kBytes) &&
           cell[1].knows<kAccess>(step, QuickAccess::kBytes);
  } else {
    return cell->knows<kAccess>(step, QuickCell::bytes_of(address, kBytes));
  }
}

}  // namespace anyorder::events

extern "C" {
[[gnu::visibility("default")]] extern anyorder::events::QuickSteps anyorder_quick_steps_1;
}
