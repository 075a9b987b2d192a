#include "joins/output.hpp"

#include <cstdio>
#include <optional>
#include <ostream>
#include <utility>

#include "joins/published.hpp"
#include "runs/cells.hpp"
#include "runs/json.hpp"

namespace bench::joins {
namespace {

struct Table {
  Quantity quantity;
  const char* title;
  const char* without;  // the column of runs without a policy
};
// The wall clock of a busy machine tells more of the others; the processor's does not see what threads wait
// for.
constexpr Table kTables[] = {
    {Quantity::seconds, "Time, as a ratio to no policy: the median, its 95 % interval, and the mean",
     "off, s"},
    {Quantity::processor_seconds, "Processor time of all threads, likewise", "off, s"},
    {Quantity::peak_bytes, "Peak memory, likewise", "off, MB"},
};

// Of the ratios to the first column, round by round; nothing if no round has both.
std::optional<Interval> ratio_of(const ProgramResults& program, std::size_t column, Quantity quantity) {
  std::vector<double> values;
  const auto& base = program.columns.front().rounds;
  const auto& rounds = program.columns[column].rounds;
  for (std::size_t i = 0; i < std::min(base.size(), rounds.size()); ++i) {
    if (base[i] && rounds[i]) values.push_back(value_of(*rounds[i], quantity) / value_of(*base[i], quantity));
  }
  if (values.empty()) return std::nullopt;
  return interval_of(std::move(values));
}

std::string cell(const std::optional<Interval>& ratio) {
  if (!ratio) return std::string(kNothing);
  char text[64];
  std::snprintf(text, sizeof text, "%.2f (%.2f-%.2f) %.2f", ratio->median, ratio->low, ratio->high,
                ratio->mean);
  return text;
}

std::string published_cell(double ratio) {
  if (ratio == 0) return std::string(kNothing);
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", ratio);
  return text;
}

const Program& published(const std::string& name) {
  for (const Program& program : kPrograms) {
    if (program.program == name) return program;
  }
  return kPrograms[0];
}

double published_ratio(const Program& program, const std::string& policy, Quantity quantity) {
  const Ratio& ratio = policy == "known"      ? program.known
                       : policy == "known-vc" ? program.known_vc
                                              : program.cycle;
  return quantity == Quantity::peak_bytes ? ratio.memory : ratio.time;
}

Json json_of(const std::optional<Interval>& ratio) {
  if (!ratio) return nullptr;
  return {{"median", ratio->median}, {"low", ratio->low}, {"high", ratio->high}, {"mean", ratio->mean}};
}

}  // namespace

void write_table(std::ostream& out, const Measurements& all) {
  for (const auto& [quantity, title, without] : kTables) {
    std::vector<Row> rows(1);
    rows[0] = {"program", "size", without};
    for (std::size_t i = 1; i < all.columns.size(); ++i) {
      rows[0].push_back(all.columns[i].name);
      rows[0].push_back("paper");
    }
    for (const ProgramResults& program : all.programs) {
      Row row{program.name, std::to_string(program.size),
              quantity == Quantity::peak_bytes ? megabytes_cell(program.columns[0])
                                               : seconds_cell(program.columns[0], quantity)};
      for (std::size_t i = 1; i < all.columns.size(); ++i) {
        row.push_back(cell(ratio_of(program, i, quantity)));
        row.push_back(
            published_cell(published_ratio(published(program.name), all.columns[i].name, quantity)));
      }
      rows.push_back(std::move(row));
    }
    out << title << ":\n\n";
    write_markdown(out, rows);
    out << '\n';
  }
}

void write_json(std::ostream& out, const Measurements& all) {
  Json programs = Json::array();
  for (const ProgramResults& program : all.programs) {
    Json policies = Json::object();
    for (std::size_t i = 0; i < all.columns.size(); ++i) {
      const Series& series = program.columns[i];
      Json& policy = policies[all.columns[i].name];
      policy["seconds"] = bench::json_of(series, Quantity::seconds);
      policy["processor_seconds"] = bench::json_of(series, Quantity::processor_seconds);
      policy["peak_bytes"] = bench::json_of(series, Quantity::peak_bytes);
      if (i == 0) continue;
      policy["time_ratio"] = json_of(ratio_of(program, i, Quantity::seconds));
      policy["processor_time_ratio"] = json_of(ratio_of(program, i, Quantity::processor_seconds));
      policy["memory_ratio"] = json_of(ratio_of(program, i, Quantity::peak_bytes));
    }
    programs.push_back({{"name", program.name}, {"size", program.size}, {"policies", policies}});
  }
  out << Json{{"workers", all.columns.front().workers}, {"programs", programs}}.dump(2) << '\n';
}

}  // namespace bench::joins
