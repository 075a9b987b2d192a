// The small program that bench_explore_rates has explored from the command line: as many tasks as its
// argument says increment a counter.
#include "counter.hpp"

#include <cstdlib>

int main(int argc, char** argv) {
  return argc == 2 && bench::explore::counted_by(std::atoi(argv[1])) == std::atoi(argv[1]) ? 0 : 1;
}
