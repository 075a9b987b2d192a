#include "runs/json.hpp"

#include <ostream>

#include "futures/output.hpp"
#include "futures/suite.hpp"
#include "runs/build_facts.hpp"

namespace bench::suite {
namespace {

Json json_of(const Published& published) {
  return {{"name", published.name},
          {"tasks", published.tasks},
          {"non_tree_joins", published.non_tree_joins},
          {"accesses", published.accesses},
          {"average_readers", published.average_readers},
          {"serial_seconds", published.serial_seconds},
          {"checked_seconds", published.checked_seconds},
          {"slowdown", published.slowdown}};
}

Json ratio(const ProgramResults& program, std::size_t column, Quantity quantity, std::size_t base) {
  return bench::json_of(ratios(program, column, quantity, base));
}

Json mean(const Measurements& all, std::size_t column, Quantity quantity, std::size_t base) {
  return bench::json_of(geometric_mean(all, column, quantity, base));
}

Json json_of(const Measurements& all, const ProgramResults& program) {
  Json json{{"name", program.name}, {"size", program.size}};
  if (const auto counts = counts_of(program)) {
    json["tasks"] = counts->tasks;
    json["non_tree_joins"] = counts->non_tree_joins;
    json["accesses"] = counts->accesses;
    json["average_readers"] = counts->average_readers;
  }
  json["slowdown"] = ratio(program, kChecked, kTime, kSerial);
  json["peak_bytes_ratio"] = ratio(program, kChecked, Quantity::peak_bytes, kPlain);
  if (has_tsan(all)) {
    json["tsan_slowdown"] = ratio(program, kTsan, kTime, kSerial);
    json["slowdown_to_tsan"] = ratio(program, kChecked, kTime, kTsan);
    json["tsan_peak_bytes_ratio"] = ratio(program, kTsan, Quantity::peak_bytes, kPlain);
  }
  Json columns = Json::object();
  for (std::size_t column = 0; column < all.columns.size(); ++column) {
    const Series& series = program.columns[column];
    columns[all.columns[column].name] = {
        {"seconds", bench::json_of(series, Quantity::seconds)},
        {"processor_seconds", bench::json_of(series, Quantity::processor_seconds)},
        {"peak_bytes", bench::json_of(series, Quantity::peak_bytes)},
        {"remark", series.remark}};
  }
  json["columns"] = std::move(columns);
  const Published* const published = published_about(program.name);
  json["paper"] = published != nullptr ? json_of(*published) : Json();
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Measurements& all) {
  Json json{{"compiler", kProgramCompiler}, {"detector", kDetector}, {"has_tsan", has_tsan(all)}};
  json["programs"] = Json::array();
  for (const ProgramResults& program : all.programs) json["programs"].push_back(json_of(all, program));
  Json& means = json["geometric_means"] = Json::object();
  means["slowdown"] = mean(all, kChecked, kTime, kSerial);
  means["paper_slowdown"] = bench::json_of(published_mean(all));
  means["peak_bytes_ratio"] = mean(all, kChecked, Quantity::peak_bytes, kPlain);
  if (has_tsan(all)) {
    means["tsan_slowdown"] = mean(all, kTsan, kTime, kSerial);
    means["slowdown_to_tsan"] = mean(all, kChecked, kTime, kTsan);
    means["tsan_peak_bytes_ratio"] = mean(all, kTsan, Quantity::peak_bytes, kPlain);
  }
  out << json.dump(2) << '\n';
}

}  // namespace bench::suite
