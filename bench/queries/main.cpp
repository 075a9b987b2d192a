// What queries of the reachability graph cost, how the costs of tasks and accesses grow, and what ranges cost
// each detector: no hooks, no executor, events alone.
#include "queries/parts.hpp"
#include "queries/program.hpp"

int main(int argc, char** argv) {
  static constexpr bench::Part kParts[] = {{"queries", &bench::measure_queries},
                                           {"growth", &bench::measure_growth},
                                           {"ranges", &bench::measure_ranges}};
  return bench::run_parts(argc, argv, kParts);
}
