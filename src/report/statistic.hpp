// What the name and the value of a statistic tell about how to write it.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

namespace anyorder::report {

// Counts are written as integers. An average never is one, nor is what a double need not have exactly.
[[nodiscard]] inline bool is_count(std::string_view name, double value) {
  constexpr double kAllIntegersBelow = 9007199254740992.0;  // 2^53
  return !name.starts_with("average_") && value == std::floor(value) && value >= 0 &&
         value < kAllIntegersBelow;
}

struct StatisticName {
  std::string histogram;  // or the whole name
  std::string row;        // empty: no histogram's
};
[[nodiscard]] inline StatisticName split_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {std::string(name), {}};
  return {std::string(name.substr(0, slash)), std::string(name.substr(slash + 1))};
}

}  // namespace anyorder::report
