// What was published about the suite: Cogumbreiro et al., Deadlock Avoidance in Parallel Programs with
// Futures, OOPSLA 2017, Tables 2 and 3. Java programs, Habanero-Java, 16 cores: only ratios to the unchecked
// run compare.
#pragma once

#include <string_view>

namespace bench::joins {

struct Ratio {
  double time, memory;  // 0: it did not come to an end in four hours
};

struct Program {
  std::string_view program;  // here
  std::string_view name;     // there
  // Sizes; scaled where a round of the paper's takes ten minutes.
  long tiny, scaled, paper;
  Ratio known, known_vc, cycle;
};

inline constexpr Program kPrograms[] = {
    {"jacobi", "Jacobi", 32, 8192, 8192, {0.99, 1.00}, {1.10, 1.00}, {5.84, 1.08}},
    {"smith_waterman", "Smith-Waterman", 60, 21000, 21000, {0.96, 1.00}, {0.96, 1.00}, {1.80, 1.02}},
    {"crypt_futures", "Crypt", 800, 50'000'000, 50'000'000, {1.04, 1.08}, {10.15, 16.90}, {193.25, 1.48}},
    {"strassen", "Strassen", 64, 2048, 4096, {1.07, 1.28}, {0.99, 1.01}, {28.49, 1.63}},
    {"series_futures", "Series", 30, 50'000, 1'000'000, {1.06, 2.34}, {1.00, 2.02}, {0, 0}},
};

}  // namespace bench::joins
