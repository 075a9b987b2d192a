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

}  // namespace bench
