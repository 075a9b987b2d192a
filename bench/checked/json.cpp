#include <nlohmann/json.hpp>
#include <ostream>

#include "checked/output.hpp"
#include "runs/build_facts.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json samples(const Series& series, Quantity quantity) {
  Json values = Json::array();
  for (const std::optional<Sample>& sample : series.rounds) {
    values.push_back(sample ? Json(value_of(*sample, quantity)) : Json());
  }
  return values;
}

Json spread_of_ratios(const ProgramResults& program, std::size_t column, Quantity quantity) {
  const auto spread = ratios(program, column, quantity);
  if (!spread) return {};
  return {{"least", spread->least},
          {"first_quartile", spread->first_quartile},
          {"median", spread->median},
          {"third_quartile", spread->third_quartile},
          {"most", spread->most}};
}

Json mean(const Measurements& all, std::size_t column, Quantity quantity) {
  const auto found = geometric_mean(all, column, quantity);
  if (!found) return {};
  return {{"value", found->value}, {"programs", found->programs}};
}

Json json_of(const Measurements& all, const ProgramResults& program) {
  Json json{{"name", program.name}, {"size", program.size}};
  if (program.counters) {
    json["tasks"] = program.counters->tasks;
    json["reads"] = program.counters->reads;
    json["writes"] = program.counters->writes;
  }
  Json columns = Json::object();
  for (std::size_t column = 0; column < all.columns.size(); ++column) {
    const Series& series = program.columns[column];
    columns[all.columns[column].name] = {
        {"seconds", samples(series, Quantity::seconds)},
        {"processor_seconds", samples(series, Quantity::processor_seconds)},
        {"peak_bytes", samples(series, Quantity::peak_bytes)},
        {"seconds_ratio", spread_of_ratios(program, column, Quantity::seconds)},
        {"processor_seconds_ratio", spread_of_ratios(program, column, Quantity::processor_seconds)},
        {"peak_bytes_ratio", spread_of_ratios(program, column, Quantity::peak_bytes)},
        {"remark", series.remark}};
  }
  json["columns"] = std::move(columns);
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Measurements& all) {
  Json json{{"compiler", kProgramCompiler}, {"has_tsan", kHasThreadSanitizer}};
  json["programs"] = Json::array();
  for (const ProgramResults& program : all.programs) json["programs"].push_back(json_of(all, program));
  json["geometric_means"] = Json::object();
  for (std::size_t column = 1; column < all.columns.size(); ++column) {
    json["geometric_means"][all.columns[column].name] = {
        {"seconds_ratio", mean(all, column, Quantity::seconds)},
        {"processor_seconds_ratio", mean(all, column, Quantity::processor_seconds)},
        {"peak_bytes_ratio", mean(all, column, Quantity::peak_bytes)}};
  }
  out << json.dump(2) << '\n';
}

}  // namespace bench
