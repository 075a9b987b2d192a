// All runs of a measurement, in turns.
//
// Contract: one thread. Ctrl-C ends the run that is under way, and with it the rounds; what there is stays.
#pragma once

#include <cstddef>

#include "runs/measurements.hpp"

namespace bench {

// Runs each program once in each column per round; each round begins with another column. A column of a
// program that failed is not run again. Tells on stderr what went wrong and, if that is a terminal, what is
// under way. False: a run failed, or found what the program does not have.
[[nodiscard]] bool run_rounds(Measurements& all, std::size_t rounds);

// Whether run_rounds ended because the user wanted it to.
[[nodiscard]] bool was_interrupted();

}  // namespace bench
