// Measurements as a table for people and as JSON for plots.
#pragma once

#include <iosfwd>

#include "runs/measurements.hpp"

namespace bench {

void write_table(std::ostream& out, const Measurements& all);

// Every sample, and what follows from them. Keys are added, never renamed.
void write_json(std::ostream& out, const Measurements& all);

}  // namespace bench
