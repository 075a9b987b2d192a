#include "runs/measurements.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

double value_of(const Sample& sample, Quantity quantity) {
  switch (quantity) {
    case Quantity::seconds:
      return sample.seconds;
    case Quantity::processor_seconds:
      return sample.processor_seconds;
    case Quantity::peak_bytes:
      break;
  }
  return sample.peak_bytes;
}

std::optional<Spread> spread_of(const Series& series, Quantity quantity) {
  std::vector<double> values;
  for (const std::optional<Sample>& sample : series.rounds) {
    if (sample) values.push_back(value_of(*sample, quantity));
  }
  if (values.empty()) return std::nullopt;
  return spread_of(std::move(values));
}

std::optional<Spread> ratios(const ProgramResults& program, std::size_t column, Quantity quantity,
                             std::size_t base) {
  const Series& to = program.columns[base];
  const Series& of = program.columns[column];
  if (!to.remark.empty() || !of.remark.empty()) return std::nullopt;
  std::vector<double> found;
  for (std::size_t round = 0; round < std::min(to.rounds.size(), of.rounds.size()); ++round) {
    if (to.rounds[round] && of.rounds[round]) {
      found.push_back(value_of(*of.rounds[round], quantity) / value_of(*to.rounds[round], quantity));
    }
  }
  if (found.empty()) return std::nullopt;
  return spread_of(std::move(found));
}

std::optional<double> statistic(const ProgramResults& program, std::string_view name) {
  for (const auto& [found, value] : program.statistics) {
    if (found == name) return value;
  }
  return std::nullopt;
}

std::optional<Mean> geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return Mean{std::exp(logarithms / static_cast<double>(values.size())), values.size()};
}

std::optional<Mean> geometric_mean(const Measurements& all, std::size_t column, Quantity quantity,
                                   std::size_t base) {
  std::vector<double> medians;
  for (const ProgramResults& program : all.programs) {
    if (const auto found = ratios(program, column, quantity, base)) medians.push_back(found->median);
  }
  return geometric_mean(medians);
}

}  // namespace bench
