#include <algorithm>
#include <ostream>

#include "futures/output.hpp"
#include "futures/suite.hpp"
#include "runs/build_facts.hpp"
#include "runs/cells.hpp"

namespace bench::suite {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

void add_counts(Row& row, const ProgramResults& program) {
  if (const auto counts = counts_of(program)) {
    row.insert(row.end(), {number(counts->tasks), number(counts->non_tree_joins), number(counts->accesses),
                           digits(counts->average_readers)});
  } else {
    row.insert(row.end(), 4, std::string(kNothing));
  }
}

void write_times(std::ostream& out, const Measurements& all) {
  const std::string checked = all.columns[kChecked].name;
  Row head{"program",  "size",    "tasks",        "non-tree joins", "accesses", "average readers",
           "serial s", "plain s", checked + " s", "slowdown",       "paper"};
  Row mean{"geometric mean"};
  mean.resize(9);
  mean.push_back(mean_cell(geometric_mean(all, kChecked, kTime, kSerial), all.programs.size()));
  mean.push_back(mean_cell(published_mean(all), all.programs.size()));
  if (has_tsan(all)) {
    head.insert(head.end(), {"tsan", checked + " / tsan"});
    mean.push_back(mean_cell(geometric_mean(all, kTsan, kTime, kSerial), all.programs.size()));
    mean.push_back(mean_cell(geometric_mean(all, kChecked, kTime, kTsan), all.programs.size()));
  }
  std::vector<Row> rows{head};
  for (const ProgramResults& program : all.programs) {
    Row row{program.name, std::to_string(program.size)};
    add_counts(row, program);
    for (const std::size_t column : {kSerial, kPlain, kChecked}) {
      row.push_back(seconds_cell(program.columns[column], kTime));
    }
    row.push_back(ratio_cell(program, kChecked, kTime, kSerial));
    const Published* const published = published_about(program.name);
    row.push_back(published != nullptr ? digits(published->slowdown) : std::string(kNothing));
    if (has_tsan(all)) {
      row.push_back(ratio_cell(program, kTsan, kTime, kSerial));
      row.push_back(ratio_cell(program, kChecked, kTime, kTsan));
    }
    rows.push_back(std::move(row));
  }
  rows.push_back(std::move(mean));
  write_markdown(out, rows);
}

void write_memory(std::ostream& out, const Measurements& all) {
  Row head{"program", "size", "plain MB"};
  Row mean{"geometric mean", "", ""};
  std::vector<std::size_t> others{kChecked};
  if (has_tsan(all)) others.push_back(kTsan);
  for (const std::size_t column : others) {
    const std::string& name = all.columns[column].name;
    head.insert(head.end(), {name + " MB", name + " / plain"});
    mean.insert(mean.end(), {"", mean_cell(geometric_mean(all, column, Quantity::peak_bytes, kPlain),
                                           all.programs.size())});
  }
  std::vector<Row> rows{head};
  for (const ProgramResults& program : all.programs) {
    Row row{program.name, std::to_string(program.size), megabytes_cell(program.columns[kPlain])};
    for (const std::size_t column : others) {
      row.push_back(megabytes_cell(program.columns[column]));
      row.push_back(ratio_cell(program, column, Quantity::peak_bytes, kPlain));
    }
    rows.push_back(std::move(row));
  }
  rows.push_back(std::move(mean));
  write_markdown(out, rows);
}

void write_counts(std::ostream& out, const Measurements& all) {
  std::vector<Row> rows{{"program", "of", "tasks", "non-tree joins", "accesses", "average readers"}};
  for (const ProgramResults& program : all.programs) {
    Row row{program.name, "this run"};
    add_counts(row, program);
    rows.push_back(std::move(row));
    if (const Published* const published = published_about(program.name)) {
      rows.push_back({std::string(published->name), "paper", number(published->tasks),
                      number(published->non_tree_joins), number(published->accesses),
                      digits(published->average_readers)});
    }
  }
  write_markdown(out, rows);
}

}  // namespace

void write_tables(std::ostream& out, const Measurements& all, bool paper_size) {
  std::size_t rounds = 0;
  for (const ProgramResults& program : all.programs) {
    rounds = std::max(rounds, program.columns.front().rounds.size());
  }
  out << "Programs by " << kProgramCompiler << ", run serially, in " << rounds
      << (rounds == 1 ? " round" : " rounds")
      << ". Processor time of the work. slowdown: " << all.columns[kChecked].name << " / serial";
  if (has_tsan(all)) out << ", tsan: the same for ThreadSanitizer";
  out << "; median (quartiles).\n";
  if (!kHasThreadSanitizer) out << "There is no column tsan: clang++-19 was not there at configuration.\n";
  out << '\n';
  write_times(out, all);
  out << "\nPeak resident memory, to the end of the work:\n\n";
  write_memory(out, all);
  if (paper_size) {
    out << "\nCounts beside those of the paper:\n\n";
    write_counts(out, all);
  }
  out << std::flush;
}

}  // namespace bench::suite
