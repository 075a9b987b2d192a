#include "parallel/suite.hpp"

#include <algorithm>

#include "cli/detectors.hpp"
#include "support/check.hpp"

namespace bench::parallel {

using anyorder::events::Construct;
using anyorder::events::DetectorTraits;
using anyorder::events::Execution;

std::vector<DetectorTraits> detectors_of_suite(std::span<const DetectorTraits> registered) {
  std::vector<DetectorTraits> chosen;
  for (const DetectorTraits& traits : registered) {
    const bool runs = traits.needs != Execution::controlled && traits.name != anyorder::cli::kGraphDetector;
    if (runs && traits.accepts.contains(Construct::async_finish)) chosen.push_back(traits);
  }
  return chosen;
}

std::vector<Column> columns(const Plan& plan) {
  std::vector<Column> all;
  for (const unsigned workers : plan.workers) all.push_back({Way::plain, "plain", workers});
  for (const DetectorTraits& traits : plan.detectors) {
    if (traits.needs == Execution::parallel) {
      for (const unsigned workers : plan.workers) all.push_back({Way::detector, traits.name, workers});
    } else {
      all.push_back({Way::detector, traits.name, 0});
    }
  }
  if (plan.tsan) {
    for (const unsigned workers : plan.workers) {
      all.push_back({Way::tbb, "tbb", workers});
      all.push_back({Way::tbb_tsan, "tsan", workers});
    }
  }
  return all;
}

std::size_t column_of(const Suite& suite, Way way, unsigned workers) {
  const auto& columns = suite.all.columns;
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
    return column.way == way && column.workers == workers;
  });
  ANYORDER_CHECK(found != columns.end(), "a column of the suite is missing");
  return static_cast<std::size_t>(found - columns.begin());
}

bool has_tsan(const Suite& suite) {
  const auto& columns = suite.all.columns;
  return std::any_of(columns.begin(), columns.end(),
                     [](const Column& column) { return column.way == Way::tbb_tsan; });
}

std::vector<Comparison> comparisons(const Suite& suite, unsigned workers) {
  std::vector<Comparison> found;
  const auto& columns = suite.all.columns;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const Column& of = columns[column];
    if (of.workers != workers && of.workers != 0) continue;
    if (of.way == Way::detector) {
      found.push_back({of.name, false, of.workers == 0, column, column_of(suite, Way::plain, workers)});
    } else if (of.way == Way::tbb_tsan) {
      found.push_back({of.name, true, false, column, column_of(suite, Way::tbb, workers)});
    }
  }
  return found;
}

std::optional<double> growth(const Suite& suite, const ProgramResults& program, const Comparison& first,
                             const Comparison& last) {
  const auto before = ratios(program, first.column, suite.time, first.base);
  const auto after = ratios(program, last.column, suite.time, last.base);
  if (!before || !after) return std::nullopt;
  return after->median / before->median;
}

std::optional<Mean> mean_growth(const Suite& suite, const Comparison& first, const Comparison& last) {
  std::vector<double> values;
  for (const ProgramResults& program : suite.all.programs) {
    if (const auto value = growth(suite, program, first, last)) values.push_back(*value);
  }
  return geometric_mean(values);
}

std::vector<std::pair<Comparison, Comparison>> scaling_pairs(const Suite& suite) {
  std::vector<std::pair<Comparison, Comparison>> pairs;
  if (suite.workers.size() < 2) return pairs;
  const auto before = comparisons(suite, suite.workers.front());
  const auto after = comparisons(suite, suite.workers.back());
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i].is_serial) pairs.emplace_back(before[i], after[i]);
  }
  return pairs;
}

}  // namespace bench::parallel
