// What join policies cost: known joins while one task knows a million others, and the search for cycles while
// many gets stand still.
#include "join_queries/parts.hpp"
#include "queries/program.hpp"

int main(int argc, char** argv) {
  static constexpr bench::Part kParts[] = {{"knowledge", &bench::measure_knowledge},
                                           {"waits", &bench::measure_waits}};
  return bench::run_parts(argc, argv, kParts);
}
