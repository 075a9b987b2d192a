// The measurements of bench_joins as a table and as JSON.
#pragma once

#include <iosfwd>

#include "runs/measurements.hpp"

namespace bench::joins {

void write_table(std::ostream& out, const Measurements& all);
void write_json(std::ostream& out, const Measurements& all);

}  // namespace bench::joins
