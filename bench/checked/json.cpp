#include "runs/json.hpp"

#include <ostream>

#include "checked/output.hpp"
#include "runs/build_facts.hpp"

namespace bench {
namespace {

Json json_of_program(const Measurements& all, const ProgramResults& program) {
  Json json{{"name", program.name}, {"size", program.size}};
  if (program.counters) {
    json["tasks"] = program.counters->tasks;
    json["reads"] = program.counters->reads;
    json["writes"] = program.counters->writes;
  }
  Json columns = Json::object();
  for (std::size_t column = 0; column < all.columns.size(); ++column) {
    const Series& series = program.columns[column];
    const auto to_plain = [&](Quantity quantity) { return json_of(ratios(program, column, quantity)); };
    columns[all.columns[column].name] = {{"seconds", json_of(series, Quantity::seconds)},
                                         {"processor_seconds", json_of(series, Quantity::processor_seconds)},
                                         {"peak_bytes", json_of(series, Quantity::peak_bytes)},
                                         {"seconds_ratio", to_plain(Quantity::seconds)},
                                         {"processor_seconds_ratio", to_plain(Quantity::processor_seconds)},
                                         {"peak_bytes_ratio", to_plain(Quantity::peak_bytes)},
                                         {"remark", series.remark}};
  }
  json["columns"] = std::move(columns);
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Measurements& all) {
  Json json{{"compiler", kProgramCompiler}, {"has_tsan", kHasThreadSanitizer}};
  json["programs"] = Json::array();
  for (const ProgramResults& program : all.programs)
    json["programs"].push_back(json_of_program(all, program));
  json["geometric_means"] = Json::object();
  for (std::size_t column = 1; column < all.columns.size(); ++column) {
    const auto mean = [&](Quantity quantity) { return json_of(geometric_mean(all, column, quantity)); };
    json["geometric_means"][all.columns[column].name] = {
        {"seconds_ratio", mean(Quantity::seconds)},
        {"processor_seconds_ratio", mean(Quantity::processor_seconds)},
        {"peak_bytes_ratio", mean(Quantity::peak_bytes)}};
  }
  out << json.dump(2) << '\n';
}

}  // namespace bench
