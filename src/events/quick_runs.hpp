// Accesses that a place makes one behind the other, as a loop over an array does: the first ones are made,
// of the others is kept how far they go, and they are made as one range when the loop leaves it, the step
// ends or the memory is forgotten. In a step, the order of accesses does not matter.
//
// Contract: as quick.hpp, whose threads have these. Whoever is told that a run is over makes its range,
// before any task operation and before what the range is about is forgotten. Locals of the running task have
// no runs: whose they were can be told only as long as they are there. Nor has the root.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::events {

[[nodiscard, gnu::always_inline]] inline std::size_t run_slot_of(std::uintptr_t pc) noexcept {
  return pc / 4 % kQuickRuns;
}

// One place may make accesses of several kinds: a function of the library, on behalf of its caller.
template <Access kAccess, unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline std::uint64_t run_key(const QuickThread& own,
                                                               std::uintptr_t pc) noexcept {
  return (pc ^ own.context) + kBytes + (kAccess == Access::write ? 2 * QuickCell::kLineBytes : 0);
}

// Whether the access is the next one of a run: then it is one of it.
template <Access kAccess, unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline bool goes_on(const QuickThread& own, std::uintptr_t address,
                                                      std::uintptr_t pc) noexcept {
  if (own.runs_there == 0) return false;
  QuickRun& run = own.runs[run_slot_of(pc)];
  if (run.next != address || run.key != run_key<kAccess, kBytes>(own, pc)) return false;
  run.next = address + kBytes;
  return true;
}

[[nodiscard, gnu::always_inline]] inline bool loops(const QuickThread& own, std::uintptr_t pc) noexcept {
  const QuickRun& run = own.runs[run_slot_of(pc)];
  return run.pc == pc && run.loops != 0;
}

// Whether an access of a place that loops begins a run, and need not be made. settle(run) makes the range of
// one that is over.
template <Access kAccess, unsigned kBytes, class Settle>
[[nodiscard]] inline bool begins_run(QuickThread& own, std::uintptr_t address, std::uintptr_t pc,
                                     std::uintptr_t frame, Settle settle) noexcept {
  const std::size_t slot = run_slot_of(pc);
  QuickRun& run = own.runs[slot];
  const QuickPlace& place = quick_place_of(own, pc);
  if (!loops(own, pc) || !place.is(pc, own.context)) return false;
  if (address % kBytes != 0 || address - frame < own.stack_top - frame) return false;
  if (run.next != 0) settle(run);
  run.begin = address;
  run.next = address + kBytes;
  run.key = run_key<kAccess, kBytes>(own, pc);
  run.context = own.context;
  run.marks = place.marks;
  run.bytes = kBytes;
  run.writes = kAccess == Access::write;
  run.number = ++own.runs_begun;
  own.runs_there |= std::uint64_t{1} << slot;
  return true;
}

// An access was made: whether its place loops. Of two places that share a slot the one has it whose run goes
// on; one that does not is returned, and is to be settled.
template <unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline QuickRun* note_for_runs(const QuickThread& own,
                                                                 std::uintptr_t address,
                                                                 std::uintptr_t pc) noexcept {
  QuickRun& run = own.runs[run_slot_of(pc)];
  if (run.pc == pc) {
    if (run.expected == address + own.step) run.loops = QuickRun::kTries;
  } else {
    if (run.next != 0) [[unlikely]] {
      if (run.next + own.step == run.expected) return &run;
      run.expected = run.next + own.step;
      return nullptr;
    }
    run.pc = pc;
    run.loops = 0;
  }
  run.expected = address + kBytes + own.step;
  return nullptr;
}

// Whether a run that goes on has these bytes, and the same or more was done to them.
template <Access kAccess>
[[nodiscard]] inline bool is_of_runs(const QuickThread& own, std::uintptr_t address,
                                     std::size_t bytes) noexcept {
  for (std::uint64_t left = own.runs_there; left != 0; left &= left - 1) {
    const QuickRun& run = own.runs[std::countr_zero(left)];
    if (address >= run.begin && address + bytes <= run.next && (kAccess == Access::read || run.writes)) {
      return true;
    }
  }
  return false;
}

// The run is over, and its range made. A place that goes elsewhere each time loops no more.
inline void end_run(QuickRun& run) noexcept {
  if (run.next - run.begin > run.bytes) {
    run.loops = QuickRun::kTries;
  } else if (run.loops != 0) {
    --run.loops;
  }
  run.next = 0;
}

// The runs that there are, in the order in which they began; there are none afterwards.
template <class Settle>
inline void end_runs(QuickThread& own, Settle settle) noexcept {
  QuickRun* runs[kQuickRuns];
  std::size_t count = 0;
  for (std::uint64_t left = own.runs_there; left != 0; left &= left - 1) {
    QuickRun& run = own.runs[std::countr_zero(left)];
    if (run.next == 0) continue;
    std::size_t at = count++;
    for (; at != 0 && runs[at - 1]->number > run.number; --at) runs[at] = runs[at - 1];
    runs[at] = &run;
  }
  own.runs_there = 0;
  own.runs_begun = 0;
  for (std::size_t i = 0; i != count; ++i) settle(*runs[i]);
}

}  // namespace anyorder::events
