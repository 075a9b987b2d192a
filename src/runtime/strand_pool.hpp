// Strands that stand in the scheduler's loop with nothing to do, kept for the next time one is needed: a
// mapping costs microseconds, and tearing one down interrupts every core.
#pragma once

#include "runtime/worker.hpp"

namespace anyorder::runtime {

// A strand that looks for work once it is switched to. Throws std::system_error if there is no memory.
Strand& take_strand(Worker& worker);
// Takes a strand that nothing stands on any more. Pages that it used deep down go back to the system.
void keep_strand(Worker& worker, Strand& strand) noexcept;

}  // namespace anyorder::runtime
