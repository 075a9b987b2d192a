#include "runs/json.hpp"

#include <ostream>

#include "parallel/output.hpp"
#include "runs/build_facts.hpp"

namespace bench::parallel {
namespace {

Json json_of(const Published* published) {
  if (published == nullptr) return {};
  return {{"name", published->name},
          {"around_ten", published->around_ten},
          {"chunked_slowdown", published->chunked != 0 ? Json(published->chunked) : Json()}};
}

// `number(column, quantity, base)` is what is told of a ratio.
template <class Number>
Json json_of(const Suite& suite, const Number& number) {
  Json by_workers = Json::object();
  for (const unsigned workers : suite.workers) {
    Json& to = by_workers[std::to_string(workers)] = Json::object();
    const auto compared = comparisons(suite, workers);
    for (const Comparison& comparison : compared) {
      Json& entry = to[comparison.name] = Json::object();
      entry["slowdown"] = number(comparison.column, suite.time, comparison.base);
      entry["peak_bytes_ratio"] = number(comparison.column, Quantity::peak_bytes, comparison.base);
      if (has_tsan(suite) && !comparison.is_tsan) {
        entry["slowdown_to_tsan"] = number(comparison.column, suite.time, compared.back().column);
      }
    }
  }
  return by_workers;
}

Json json_of(const Suite& suite, const ProgramResults& program) {
  Json json{{"name", program.name}, {"size", program.size}};
  if (program.counters) {
    json["tasks"] = program.counters->tasks;
    json["accesses"] = program.counters->reads + program.counters->writes;
  }
  json["workers"] = json_of(suite, [&](std::size_t column, Quantity quantity, std::size_t base) {
    return bench::json_of(ratios(program, column, quantity, base));
  });
  Json& columns = json["columns"] = Json::object();
  for (std::size_t column = 0; column < suite.all.columns.size(); ++column) {
    const Series& series = program.columns[column];
    columns[label_of(suite.all.columns[column])] = {
        {"seconds", bench::json_of(series, Quantity::seconds)},
        {"processor_seconds", bench::json_of(series, Quantity::processor_seconds)},
        {"peak_bytes", bench::json_of(series, Quantity::peak_bytes)},
        {"remark", series.remark}};
  }
  json["paper"] = json_of(published_about(program.name));
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Suite& suite) {
  Json json{{"compiler", kProgramCompiler},
            {"has_tsan", has_tsan(suite)},
            {"time", suite.time == Quantity::seconds ? "wall" : "processor"},
            {"workers", suite.workers},
            {"paper_mean_slowdown", kPublishedMean}};
  json["programs"] = Json::array();
  for (const ProgramResults& program : suite.all.programs)
    json["programs"].push_back(json_of(suite, program));
  json["geometric_means"] = json_of(suite, [&](std::size_t column, Quantity quantity, std::size_t base) {
    return bench::json_of(geometric_mean(suite.all, column, quantity, base));
  });
  Json& scaling = json["scaling"] = Json::object();
  for (const auto& [first, last] : scaling_pairs(suite)) {
    scaling[first.name] = bench::json_of(mean_growth(suite, first, last));
  }
  out << json.dump(2) << '\n';
}

}  // namespace bench::parallel
