// What was published about the suite: Raman, Zhao, Sarkar, Vechev, Yahav, Scalable and Precise Dynamic
// Datarace Detection for Structured Parallelism, PLDI 2012, section 6. Java programs, Habanero-Java, 16
// workers: only slowdowns compare.
#pragma once

#include <string_view>

namespace bench::parallel {

// The fine-grained programs: their slowdowns are in a plot (Figure 3); the text has the mean, and "around
// 10×" for four of them.
inline constexpr double kPublishedMean = 2.78;

struct Published {
  std::string_view program;  // here
  std::string_view name;     // there
  bool around_ten;           // the slowdown of the fine-grained program
  double chunked;  // the slowdown of the program with one task per worker (Table 2); 0: not measured
};

inline constexpr Published kPublished[] = {
    {"series", "Series", false, 1.00},
    {"crypt", "Crypt", true, 1.84},
    {"lufact", "LUFact", true, 1.08},
    {"sor", "SOR", false, 4.53},
    {"sparse", "Sparse", false, 1.72},
    {"moldyn", "MolDyn", false, 13.56},
    {"montecarlo", "MonteCarlo", false, 1.86},
    {"raytracer", "RayTracer", true, 5.84},
    {"fft", "FFT", true, 0},
    {"health", "Health", false, 0},
    {"nqueens", "NQueens", false, 0},
    {"strassen_finish", "Strassen", false, 0},
    {"fannkuch", "Fannkuch", false, 0},
    {"mandelbrot", "Mandelbrot", false, 0},
    {"matmul_elements", "Matmul", false, 0},
};

// Null if nothing was.
[[nodiscard]] constexpr const Published* published_about(std::string_view program) {
  for (const Published& entry : kPublished) {
    if (entry.program == program) return &entry;
  }
  return nullptr;
}

}  // namespace bench::parallel
