#include <algorithm>
#include <ostream>
#include <string>

#include "parallel/output.hpp"
#include "runs/build_facts.hpp"
#include "runs/cells.hpp"

namespace bench::parallel {
namespace {

std::string count_cell(const ProgramResults& program,
                       std::uint64_t (*count)(const anyorder::record::Counters&)) {
  return program.counters ? std::to_string(count(*program.counters)) : std::string(kNothing);
}

// Of the fine-grained program, and of the chunked one.
void add_published(Row& row, const ProgramResults& program) {
  const Published* const published = published_about(program.name);
  row.emplace_back(published != nullptr && published->around_ten ? "~10" : kNothing);
  const bool has_chunked = published != nullptr && published->chunked != 0;
  row.push_back(has_chunked ? digits(published->chunked) : std::string(kNothing));
}

// Of those programs here that have one.
std::string mean_of_chunked(const Suite& suite) {
  std::vector<double> slowdowns;
  for (const ProgramResults& program : suite.all.programs) {
    const Published* const published = published_about(program.name);
    if (published != nullptr && published->chunked != 0) slowdowns.push_back(published->chunked);
  }
  return mean_cell(geometric_mean(slowdowns), suite.all.programs.size());
}

std::string mean_ratio(const Suite& suite, std::size_t column, Quantity quantity, std::size_t base) {
  return mean_cell(geometric_mean(suite.all, column, quantity, base), suite.all.programs.size());
}

void write_times(std::ostream& out, const Suite& suite, unsigned workers) {
  const auto compared = comparisons(suite, workers);
  const std::size_t plain = column_of(suite, Way::plain, workers);
  Row head{"program", "size", "tasks", "accesses", "plain s"};
  Row mean{"geometric mean", "", "", "", ""};
  for (const Comparison& comparison : compared) {
    if (comparison.is_tsan) {
      head.emplace_back("tbb s");
      mean.emplace_back();
    }
    head.push_back(comparison.name);
    mean.push_back(mean_ratio(suite, comparison.column, suite.time, comparison.base));
  }
  for (const Comparison& comparison : compared) {
    if (!has_tsan(suite) || comparison.is_tsan) continue;
    head.push_back(comparison.name + " / tsan");
    mean.push_back(mean_ratio(suite, comparison.column, suite.time, compared.back().column));
  }
  head.insert(head.end(), {"paper", "paper, chunked"});
  mean.insert(mean.end(), {digits(kPublishedMean), mean_of_chunked(suite)});

  std::vector<Row> rows{head};
  for (const ProgramResults& program : suite.all.programs) {
    Row row{program.name, std::to_string(program.size),
            count_cell(program, [](const auto& counters) { return counters.tasks; }),
            count_cell(program, [](const auto& counters) { return counters.reads + counters.writes; }),
            seconds_cell(program.columns[plain], suite.time)};
    for (const Comparison& comparison : compared) {
      if (comparison.is_tsan) row.push_back(seconds_cell(program.columns[comparison.base], suite.time));
      row.push_back(ratio_cell(program, comparison.column, suite.time, comparison.base));
    }
    for (const Comparison& comparison : compared) {
      if (!has_tsan(suite) || comparison.is_tsan) continue;
      row.push_back(ratio_cell(program, comparison.column, suite.time, compared.back().column));
    }
    add_published(row, program);
    rows.push_back(std::move(row));
  }
  rows.push_back(std::move(mean));
  write_markdown(out, rows);
}

void write_memory(std::ostream& out, const Suite& suite, unsigned workers) {
  const auto compared = comparisons(suite, workers);
  const std::size_t plain = column_of(suite, Way::plain, workers);
  Row head{"program", "plain MB"};
  Row mean{"geometric mean", ""};
  for (const Comparison& comparison : compared) {
    if (comparison.is_tsan) {
      head.emplace_back("tbb MB");
      mean.emplace_back();
    }
    head.insert(head.end(),
                {comparison.name + " MB", comparison.is_tsan ? "tsan / tbb" : comparison.name + " / plain"});
    mean.insert(mean.end(),
                {"", mean_ratio(suite, comparison.column, Quantity::peak_bytes, comparison.base)});
  }
  std::vector<Row> rows{head};
  for (const ProgramResults& program : suite.all.programs) {
    Row row{program.name, megabytes_cell(program.columns[plain])};
    for (const Comparison& comparison : compared) {
      if (comparison.is_tsan) row.push_back(megabytes_cell(program.columns[comparison.base]));
      row.push_back(megabytes_cell(program.columns[comparison.column]));
      row.push_back(ratio_cell(program, comparison.column, Quantity::peak_bytes, comparison.base));
    }
    rows.push_back(std::move(row));
  }
  rows.push_back(std::move(mean));
  write_markdown(out, rows);
}

void write_scaling(std::ostream& out, const Suite& suite) {
  const auto pairs = scaling_pairs(suite);
  if (pairs.empty()) return;
  out << "\nSlowdown with " << suite.workers.back() << " over slowdown with " << suite.workers.front()
      << ", of what runs in parallel:\n\n";
  Row head{"program"};
  Row mean{"geometric mean"};
  for (const auto& [first, last] : pairs) {
    head.push_back(first.name);
    mean.push_back(mean_cell(mean_growth(suite, first, last), suite.all.programs.size()));
  }
  std::vector<Row> rows{head};
  for (const ProgramResults& program : suite.all.programs) {
    Row row{program.name};
    for (const auto& [first, last] : pairs) {
      const auto value = growth(suite, program, first, last);
      row.push_back(value ? digits(*value) : std::string(kNothing));
    }
    rows.push_back(std::move(row));
  }
  rows.push_back(std::move(mean));
  write_markdown(out, rows);
}

std::string with_workers(unsigned workers) {
  return "with " + std::to_string(workers) + (workers == 1 ? " worker" : " workers");
}

}  // namespace

void write_tables(std::ostream& out, const Suite& suite) {
  std::size_t rounds = 0;
  for (const ProgramResults& program : suite.all.programs) {
    rounds = std::max(rounds, program.columns.front().rounds.size());
  }
  const bool wall_clock = suite.time == Quantity::seconds;
  out << "Programs by " << kProgramCompiler << ", in " << rounds << (rounds == 1 ? " round. " : " rounds. ")
      << (wall_clock ? "Wall-clock" : "Processor")
      << " time of the work. Slowdowns: detectors over plain, tsan over tbb; median (quartiles).\n";
  for (const Column& column : suite.all.columns) {
    if (column.way == Way::detector && column.workers == 0) {
      out << column.name << " runs serially: one measurement for all numbers of workers.\n";
    }
  }
  if (!kHasThreadSanitizer) out << "There is no column tsan: clang++-19 was not there at configuration.\n";
  for (const unsigned workers : suite.workers) {
    out << "\nTimes " << with_workers(workers) << ":\n\n";
    write_times(out, suite, workers);
  }
  write_scaling(out, suite);
  for (const unsigned workers : suite.workers) {
    out << "\nPeak resident memory, to the end of the work, " << with_workers(workers) << ":\n\n";
    write_memory(out, suite, workers);
  }
  out << std::flush;
}

}  // namespace bench::parallel
