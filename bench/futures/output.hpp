// The suite's measurements as tables for people, as JSON, and as a plot.
#pragma once

#include <iosfwd>

#include "runs/measurements.hpp"

namespace bench::suite {

// Markdown. With `paper_size` the problems are those of the paper, and its counts stand beside
// ours.
void write_tables(std::ostream& out, const Measurements& all, bool paper_size);

// Every sample, and what follows from them. Keys are added, never renamed.
void write_json(std::ostream& out, const Measurements& all);

// Slowdowns as bars on a logarithmic axis, three for each program. For light and dark pages.
void write_svg(std::ostream& out, const Measurements& all);

}  // namespace bench::suite
