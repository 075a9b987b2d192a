// montecarlo as it was before Raman et al. found its race: all tasks assign the same value to the same
// variable, which others read. The result is right in each run, and it is a race.
#include "montecarlo.hpp"

int main(int argc, char** argv) {
  using bench::montecarlo::kSizes;
  return bench::run<bench::montecarlo::Paths<true>>("montecarlo_redundant", argc, argv, kSizes);
}
