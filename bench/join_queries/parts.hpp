// The parts of bench_join_queries. Each returns its tables, and throws std::runtime_error if an answer was
// not the right one.
#pragma once

#include <vector>

#include "queries/table.hpp"

namespace bench {

// What forks, joins and queries cost under `known` while one task knows more and more others.
[[nodiscard]] std::vector<Table> measure_knowledge(bool smoke);

// What a get costs that stands still behind more and more others, without a policy, under `known` and
// `cycle`.
[[nodiscard]] std::vector<Table> measure_waits(bool smoke);

}  // namespace bench
