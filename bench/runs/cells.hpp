// Numbers as the cells of tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "comparison/statistics.hpp"

namespace bench {

using Row = std::vector<std::string>;

inline constexpr std::string_view kNothing = "-";

// With about three digits.
[[nodiscard]] std::string digits(double value);
// The median and, in parentheses, the quartiles.
[[nodiscard]] std::string spread_cell(const Spread& spread);

}  // namespace bench
