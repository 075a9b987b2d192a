#include <algorithm>
#include <iomanip>
#include <ostream>

#include "checked/output.hpp"
#include "runs/build_facts.hpp"
#include "runs/cells.hpp"

namespace bench {
namespace {

std::string mean_cell(const Measurements& all, std::size_t column, Quantity quantity) {
  return bench::mean_cell(geometric_mean(all, column, quantity), all.programs.size());
}

// The first cell of a row to the left, the others to the right.
void write_rows(std::ostream& out, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out << (i == 0 ? "" : "  ") << (i == 0 ? std::left : std::right)
          << std::setw(static_cast<int>(widths[i])) << row[i];
    }
    out << '\n';
  }
}

std::string median_cell(const Series& series, Quantity quantity, double unit) {
  const auto values = spread_of(series, quantity);
  return values ? digits(values->median / unit) : std::string(kNothing);
}

void write_ratios(std::ostream& out, const Measurements& all, Quantity quantity) {
  const bool times = quantity != Quantity::peak_bytes;
  Row head{"program", "size"};
  Row mean{"geometric mean", ""};
  if (times) {
    head.insert(head.end(), {"tasks", "accesses"});
    mean.insert(mean.end(), 2, "");
  }
  head.emplace_back(times ? "plain ms" : "plain MB");
  mean.emplace_back();
  for (std::size_t column = 1; column < all.columns.size(); ++column) {
    head.push_back(all.columns[column].name);
    mean.push_back(mean_cell(all, column, quantity));
  }

  std::vector<Row> rows{head};
  for (const ProgramResults& program : all.programs) {
    Row row{program.name, std::to_string(program.size)};
    if (times) {
      const auto& counters = program.counters;
      row.push_back(counters ? std::to_string(counters->tasks) : std::string(kNothing));
      row.push_back(counters ? std::to_string(counters->reads + counters->writes) : std::string(kNothing));
    }
    row.push_back(median_cell(program.columns.front(), quantity, times ? 1e-3 : 1e6));
    for (std::size_t column = 1; column < all.columns.size(); ++column) {
      row.push_back(ratio_cell(program, column, quantity, 0));
    }
    rows.push_back(std::move(row));
  }
  rows.push_back(std::move(mean));
  write_rows(out, rows);
}

}  // namespace

void write_table(std::ostream& out, const Measurements& all) {
  std::size_t rounds = 0;
  for (const ProgramResults& program : all.programs) {
    rounds = std::max(rounds, program.columns.front().rounds.size());
  }
  out << "Programs by " << kProgramCompiler << ", run serially, in " << rounds
      << (rounds == 1 ? " round" : " rounds")
      << ". Time and peak memory as ratios to plain: median (quartiles).\n";
  if (!kHasThreadSanitizer)
    out << "There is no column tsan: clang++-19 was not there when this was configured.\n";
  out << "\nProcessor time of the work\n\n";
  write_ratios(out, all, Quantity::processor_seconds);
  out << "\nPeak resident memory\n\n";
  write_ratios(out, all, Quantity::peak_bytes);
  out << std::flush;
}

}  // namespace bench
