// Comparisons of two ways to do the same thing, measured in turns.
//
// A comparison is one benchmark of Google Benchmark per number of workers. An iteration of it times both
// sides once, one right after the other, and changes which is first: what else the machine does meets both
// alike. Each iteration gives one ratio; the table shows the median of all of them, and their quartiles.
//
// A repetition begins with the comparison's check of its result, and every timed run returns what it
// computed. A wrong result ends the program with 1; a slow one never does.
#pragma once

#include <benchmark/benchmark.h>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bench {

enum class Runs : std::uint8_t { on_anyorder, on_anyorder_serially, on_onetbb, on_neither };

struct Side {
  std::string name;
  Runs runs;
  std::function<std::uint64_t()> run;  // returns what it computed
};

struct Comparison {
  std::string name;
  std::string unit;      // what the times are given per
  double units = 1;      // how many of them one run has
  std::uint64_t result;  // what each run has to return
  Side measured;
  Side reference;
  std::optional<double> most_times{};  // the target: at most so many times the reference
  std::function<bool()> check{};       // whether a slower run, which looks closer, is right
};

struct Sizes {
  bool smoke = false;  // sizes that only show that everything runs
  template <class T>
  T pick(T full, T small) const {
    return smoke ? small : full;
  }
};

// A figure that is not a time, with its target.
struct Figure {
  std::string name;
  std::string unit;
  double value;
  std::optional<double> at_most{};
};

// The main function of a benchmark. `figures` is called first, in a process that has not run any task;
// `comparisons` then lists what to run. Returns the exit code.
int run(int argc, char** argv, const std::function<std::vector<Figure>(Sizes)>& figures,
        const std::function<std::vector<Comparison>(Sizes)>& comparisons);

}  // namespace bench
