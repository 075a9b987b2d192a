#include "checked/measurements.hpp"

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

std::optional<Spread> ratios_to_plain(const ProgramResults& program, std::size_t column, Quantity quantity) {
  const Series& plain = program.columns.front();
  const Series& other = program.columns[column];
  if (!other.remark.empty()) return std::nullopt;
  std::vector<double> ratios;
  for (std::size_t round = 0; round < std::min(plain.rounds.size(), other.rounds.size()); ++round) {
    if (plain.rounds[round] && other.rounds[round]) {
      ratios.push_back(value_of(*other.rounds[round], quantity) / value_of(*plain.rounds[round], quantity));
    }
  }
  if (ratios.empty()) return std::nullopt;
  return spread_of(std::move(ratios));
}

std::optional<Mean> geometric_mean(const Measurements& all, std::size_t column, Quantity quantity) {
  double logarithms = 0;
  std::size_t count = 0;
  for (const ProgramResults& program : all.programs) {
    if (const auto ratios = ratios_to_plain(program, column, quantity)) {
      logarithms += std::log(ratios->median);
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return Mean{std::exp(logarithms / static_cast<double>(count)), count};
}

}  // namespace bench
