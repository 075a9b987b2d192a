// The work of series and series_futures: the first coefficients of the Fourier series of (x + 1)^x on [0, 2],
// as the Java Grande benchmark Series has it. Each coefficient is two integrals by the trapezoid rule with
// 1000 steps.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "measured.hpp"
#include "verification.hpp"

namespace bench::series {

constexpr double kPi = 3.14159265358979323846;
constexpr int kSteps = 1000;
constexpr double kLow = 0;
constexpr double kHigh = 2;

enum class Factor { one, cosine, sine };

inline double integrand(double x, double frequency, Factor factor) {
  const double value = std::pow(x + 1, x);
  switch (factor) {
    case Factor::cosine:
      return value * std::cos(frequency * x);
    case Factor::sine:
      return value * std::sin(frequency * x);
    case Factor::one:
      break;
  }
  return value;
}

// The original leaves the point before the last one out, and is validated by the values that this gives.
inline double integral(double frequency, Factor factor) {
  constexpr double kStep = (kHigh - kLow) / kSteps;
  double sum = integrand(kLow, frequency, factor) / 2;
  double x = kLow;
  for (int i = 1; i < kSteps - 1; ++i) {
    x += kStep;
    sum += integrand(x, frequency, factor);
  }
  sum += integrand(kHigh, frequency, factor) / 2;
  return sum * kStep;
}

// Row 0: of the cosines, row 1: of the sines. The rows are arrays of their own, as in the original.
using Coefficients = std::array<std::vector<double>, 2>;

inline Coefficients room_for(std::size_t count) {
  return {std::vector<double>(count), std::vector<double>(count)};
}

inline void compute_first(Coefficients& coefficients) { coefficients[0][0] = integral(0, Factor::one) / 2; }

// Any but the first.
inline void compute(Coefficients& coefficients, std::size_t i) {
  const double frequency = static_cast<double>(i) * kPi;
  coefficients[0][i] = integral(frequency, Factor::cosine);
  coefficients[1][i] = integral(frequency, Factor::sine);
}

inline void compute_serially(Coefficients& coefficients) {
  compute_first(coefficients);
  for (std::size_t i = 1; i < coefficients[0].size(); ++i) compute(coefficients, i);
}

// The values that the original is validated by.
ANYORDER_BENCH_UNCHECKED inline bool begins_as_known(const Coefficients& coefficients) {
  constexpr double kKnown[][2] = {{2.8729524964837996, 0.0},
                                  {1.1161046676147888, -1.8819691893398025},
                                  {0.34429060398168704, -1.1645642623320958},
                                  {0.15238898702519288, -0.8143461113044298}};
  for (std::size_t row = 0; row < 2; ++row) {
    const double* const values = coefficients[row].data();
    for (std::size_t i = 0; i < 4 && i < coefficients[row].size(); ++i) {
      if (std::abs(values[i] - kKnown[i][row]) > 1e-12) return false;
    }
  }
  return true;
}

inline std::array<std::uint64_t, 2> fingerprints(const Coefficients& coefficients) {
  return {fingerprint(coefficients[0]), fingerprint(coefficients[1])};
}

inline std::array<std::uint64_t, 2> expected_fingerprints(std::size_t count) {
  Coefficients coefficients = room_for(count);
  compute_serially(coefficients);
  return fingerprints(coefficients);
}

// The main function: `compute_in_tasks(coefficients)` is what the versions differ in.
template <class Compute>
int run(const char* name, int argc, char** argv, const Compute& compute_in_tasks) {
  const Arguments given = arguments(argc, argv, {"number of coefficients", 1, 1L << 28});
  const auto count = static_cast<std::size_t>(given.size);
  const auto expected = expected_fingerprints(count);
  Coefficients coefficients = room_for(count);
  return measure(
      name, given.size,
      [&] {
        if (given.version == Version::serial) {
          compute_serially(coefficients);
        } else {
          compute_in_tasks(coefficients);
        }
      },
      [&] { return fingerprints(coefficients) == expected && begins_as_known(coefficients); });
}

}  // namespace bench::series
