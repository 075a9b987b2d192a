// The way of an access of an instruction as far as the thread can decide by itself, in the order of what that
// costs: by what the step has done to the line, by the run that its place is in, and by the line's cells.
//
// Contract: that of quick.hpp.
#pragma once

#include <cstdint>

#include "events/quick.hpp"
#include "events/quick_lines.hpp"
#include "events/quick_runs.hpp"

namespace anyorder::events {

// What most accesses are, in any task: nothing else is to be done. False: make_by_itself is next.
template <Access kAccess, unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline bool is_no_news(QuickThread& own, std::uintptr_t address,
                                                         std::uintptr_t pc) noexcept {
  if (goes_on<kAccess, kBytes>(own, address, pc)) return true;
  if (address % kBytes != 0) return false;
  QuickLine& line = quick_line_of(own, address);
  if (line.key != quick_line_key(own, address)) return false;
  if (!has_bytes<kBytes>(kAccess == Access::write ? line.written : line.read, address)) {
    if (kAccess == Access::write || !has_bytes<kBytes>(line.quiet, address)) return false;
    ++own.counts->readers;
    remember<kAccess>(line, bytes_in_line<kBytes>(address));
  }
  count_made<kAccess>(own);
  return true;
}

// Of a task, which runs: makes the access, if that can be done with what is known; it is counted then. False:
// not all of it was done. `over` is a run that is to be settled, or null.
template <Access kAccess, unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline bool make_in_cells(QuickThread& own, char* cells,
                                                            std::uintptr_t address, std::uintptr_t pc,
                                                            QuickRun*& over) noexcept {
  over = nullptr;
  if (address % kBytes != 0) return false;
  if (own.runs_there == 0 || !is_of_runs<kAccess>(own, address, kBytes)) {
    const QuickResult result = repeat_access<kAccess, kBytes>(own, cells, address, pc);
    if (result == QuickResult::missed || may_close_line<kBytes>(cells, address)) return false;
    over = note_for_runs<kBytes>(own, address, pc);
    if (result == QuickResult::quiet) {
      ++own.counts->readers;
      remembered_line(own, address).quiet |= quiet_bytes(own, cells, address);
    }
  }
  remember<kAccess>(remembered_line(own, address), bytes_in_line<kBytes>(address));
  count_made<kAccess>(own);
  return true;
}

}  // namespace anyorder::events
