// What checks cost in nested loops, for detectors that accept them: by the depth of the nesting, and where
// many tasks read the same words at once.
#pragma once

#include <vector>

#include "queries/table.hpp"

namespace bench {

// All throw std::runtime_error if a detector gave a wrong answer.
[[nodiscard]] std::vector<Table> measure_loops(bool smoke);

}  // namespace bench
