#include "runs/cells.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace bench {
namespace {

constexpr double kMegabyte = 1e6;

}  // namespace

std::string digits(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(value < 10 ? 2 : value < 100 ? 1 : 0) << value;
  return text.str();
}

std::string spread_cell(const Spread& spread) {
  return digits(spread.median) + " (" + digits(spread.first_quartile) + ".." + digits(spread.third_quartile) +
         ")";
}

std::string seconds_cell(const Series& series, Quantity time) {
  const auto values = spread_of(series, time);
  if (!values) return series.remark.empty() ? std::string(kNothing) : series.remark;
  std::ostringstream text;
  text << std::fixed << std::setprecision(values->median < 1 ? 4 : 2) << values->median;
  return text.str();
}

std::string megabytes_cell(const Series& series) {
  const auto values = spread_of(series, Quantity::peak_bytes);
  return values ? digits(values->median / kMegabyte) : std::string(kNothing);
}

std::string ratio_cell(const ProgramResults& program, std::size_t column, Quantity quantity,
                       std::size_t base) {
  if (const auto found = ratios(program, column, quantity, base)) return spread_cell(*found);
  const std::string& remark = program.columns[column].remark;
  return remark.empty() ? std::string(kNothing) : remark;
}

std::string mean_cell(const std::optional<Mean>& mean, std::size_t programs) {
  if (!mean) return std::string(kNothing);
  return digits(mean->value) + (mean->programs == programs ? "" : " of " + std::to_string(mean->programs));
}

void write_markdown(std::ostream& out, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  const auto write = [&](const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out << "| " << (i == 0 ? std::left : std::right) << std::setw(static_cast<int>(widths[i])) << row[i]
          << ' ';
    }
    out << "|\n";
  };
  write(rows.front());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    out << '|' << std::string(widths[i] + 1, '-') << (i == 0 ? '-' : ':');
  }
  out << "|\n";
  for (std::size_t i = 1; i < rows.size(); ++i) write(rows[i]);
}

}  // namespace bench
