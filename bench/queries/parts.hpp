// The parts of bench_queries. Each returns its tables, and throws WrongResult if an answer or a verdict
// was not the right one.
#pragma once

#include <stdexcept>
#include <vector>

#include "queries/table.hpp"

namespace bench {

struct WrongResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a query costs with so many non-tree joins between two tasks, and in tasks nested so deep.
[[nodiscard]] std::vector<Table> measure_queries(bool smoke);

// What a task and an access cost, and how many bytes a task takes, in runs of more and more tasks.
[[nodiscard]] std::vector<Table> measure_growth(bool smoke);

// What a word of a range costs, for each detector.
[[nodiscard]] std::vector<Table> measure_ranges(bool smoke);

}  // namespace bench
