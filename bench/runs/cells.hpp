// Numbers as the cells of tables, and tables as Markdown.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparison/statistics.hpp"
#include "runs/measurements.hpp"

namespace bench {

using Row = std::vector<std::string>;

inline constexpr std::string_view kNothing = "-";

// With about three digits.
[[nodiscard]] std::string digits(double value);
// The median and, in parentheses, the quartiles.
[[nodiscard]] std::string spread_cell(const Spread& spread);
// The median of a column; where there is none, the remark.
[[nodiscard]] std::string seconds_cell(const Series& series, Quantity time);
[[nodiscard]] std::string megabytes_cell(const Series& series);
// Of one column to another; where there is none, the remark.
[[nodiscard]] std::string ratio_cell(const ProgramResults& program, std::size_t column, Quantity quantity,
                                     std::size_t base);
// If it is not of all `programs`, of how many.
[[nodiscard]] std::string mean_cell(const std::optional<Mean>& mean, std::size_t programs);

// The first cell of a row to the left, the others to the right. All rows are as long as the first, the head.
void write_markdown(std::ostream& out, const std::vector<Row>& rows);

}  // namespace bench
