// The spread of a sample.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bench {

struct Spread {
  double least = 0, first_quartile = 0, median = 0, third_quartile = 0, most = 0;
};

// Of at least one value. Quartiles are interpolated between neighbours.
inline Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const auto above = static_cast<std::size_t>(std::ceil(place));
    return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
  };
  return {values.front(), at(0.25), at(0.5), at(0.75), values.back()};
}

// A median and the interval that holds the true one with a probability of at least 95 %: from one of the
// values to another, by how many of them are how likely to be on one side of it. Whatever their distribution,
// and however far a few are out. Of fewer than six values all of them are not enough for 95 %, and the
// interval is from the least to the most.
struct Interval {
  double median = 0, low = 0, high = 0;
  double mean = 0;
};

// Of at least one value.
inline Interval interval_of(std::vector<double> values) {
  constexpr double kOutsideOneEnd = 0.025;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  // With the true median between the values k and k + 1, counted from 1, there are k below it: n over k in
  // 2^n.
  std::size_t outside = 0;
  double choose = 1;
  double sum = 0;
  for (std::size_t k = 0; k < n / 2; ++k) {
    sum += choose * std::pow(0.5, static_cast<double>(n));
    if (sum > kOutsideOneEnd) break;
    outside = k;
    choose = choose * static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(n);
  return {spread_of(values).median, values[outside], values[n - 1 - outside], mean};
}

}  // namespace bench
