// The suite's measurements as tables for people, as JSON, and as a plot.
#pragma once

#include <iosfwd>

#include "parallel/suite.hpp"

namespace bench::parallel {

// Markdown: times and memory for each number of workers, and how slowdowns change with it.
void write_tables(std::ostream& out, const Suite& suite);

// Every sample, and what follows from them. Keys are added, never renamed.
void write_json(std::ostream& out, const Suite& suite);

// Slowdowns as bars on a logarithmic axis, for each program and for the geometric mean. For light and dark
// pages.
void write_svg(std::ostream& out, const Suite& suite);

}  // namespace bench::parallel
