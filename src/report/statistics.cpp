// What a detector counted, as text: a column of values, then the histograms, with bars.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"
#include "report/statistic.hpp"

namespace anyorder::report {

namespace {

constexpr double kLongestBar = 40;

struct Line {
  std::string name;
  std::string value;
  double amount;
};
using Lines = std::vector<Line>;

std::string written(std::string_view name, double value) {
  if (is_count(name, value)) return std::to_string(static_cast<std::uint64_t>(value));
  char text[64];
  std::snprintf(text, sizeof text, std::abs(value) < 1e15 ? "%.2f" : "%g", value);
  return text;
}

template <std::string Line::*column>
std::size_t width(const Lines& lines) {
  std::size_t widest = 0;
  for (const Line& line : lines) widest = std::max(widest, (line.*column).size());
  return widest;
}

std::string to_the_right(const std::string& text, std::size_t width) {
  return std::string(width - text.size(), ' ') + text;
}

void write_values(std::ostream& out, const Lines& lines) {
  const std::size_t names = width<&Line::name>(lines);
  const std::size_t values = width<&Line::value>(lines);
  for (const auto& [name, value, amount] : lines) {
    out << "  " << name << std::string(names - name.size(), ' ') << "  " << to_the_right(value, values)
        << '\n';
  }
}

// Only rows that are not empty; each has a bar of one mark at least.
void write_histogram(std::ostream& out, const std::string& name, Lines rows) {
  std::erase_if(rows, [](const Line& row) { return row.amount <= 0; });
  if (rows.empty()) return;
  const std::size_t names = width<&Line::name>(rows);
  const std::size_t values = width<&Line::value>(rows);
  double most = 0;
  for (const Line& row : rows) most = std::max(most, row.amount);
  out << "  " << name << ":\n";
  for (const auto& [row, value, amount] : rows) {
    const auto marks = static_cast<std::size_t>(std::ceil(amount / most * kLongestBar));
    out << "    " << to_the_right(row, names) << "  " << to_the_right(value, values) << "  "
        << std::string(marks, '#') << '\n';
  }
}

}  // namespace

void write_statistics(std::ostream& out, const Report& report) {
  out << "statistics of " << report.run.detector << ":\n";
  if (report.statistics.empty()) out << "  it counts nothing\n";
  Lines values;
  std::vector<std::pair<std::string, Lines>> histograms;
  for (const auto& [name, value] : report.statistics) {
    const auto [histogram, row] = split_name(name);
    if (row.empty()) {
      values.push_back({name, written(name, value), value});
      continue;
    }
    auto at = std::find_if(histograms.begin(), histograms.end(),
                           [&own = histogram](const auto& other) { return other.first == own; });
    if (at == histograms.end()) at = histograms.insert(at, {histogram, {}});
    at->second.push_back({row, written(name, value), value});
  }
  write_values(out, values);
  for (const auto& [name, rows] : histograms) write_histogram(out, name, rows);
}

}  // namespace anyorder::report
