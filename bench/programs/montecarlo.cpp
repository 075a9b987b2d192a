// A Monte Carlo simulation of stock prices: a forall over the paths, whose tasks share the model and write
// one number each.
#include "montecarlo.hpp"

int main(int argc, char** argv) {
  using bench::montecarlo::kSizes;
  return bench::run<bench::montecarlo::Paths<false>>("montecarlo", argc, argv, kSizes);
}
