// What was measured: samples by program, column and round, and the ratios that follow from them.
//
// A ratio is of two runs of the same round: what else the machine did then met both much alike. A round that
// was cut short counts for the pairs of columns that it has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparison/statistics.hpp"
#include "runs/run.hpp"

namespace bench {

// All runs of one program in one way.
struct Series {
  std::vector<std::optional<Sample>> rounds;  // none: not run, or failed
  std::string remark;  // why there is no ratio although it was run: "failed", a verdict; else empty
};

struct ProgramResults {
  std::string name;
  long size = 0;
  std::vector<Series> columns;  // as Measurements::columns
  // Of the first checked run that came to its end; none: there was no such run.
  std::optional<anyorder::record::Counters> counters{};
  Statistics statistics{};
};

enum class Quantity : std::uint8_t { seconds, processor_seconds, peak_bytes };

struct Measurements {
  std::vector<Column> columns;  // the first is what ratios are to
  std::vector<ProgramResults> programs;
};

[[nodiscard]] double value_of(const Sample& sample, Quantity quantity);
// Of the values of one column; nothing if there is none.
[[nodiscard]] std::optional<Spread> spread_of(const Series& series, Quantity quantity);
// Of the ratios of `column` to `base`, round by round; nothing if no round has both, or with a remark.
[[nodiscard]] std::optional<Spread> ratios(const ProgramResults& program, std::size_t column,
                                           Quantity quantity, std::size_t base = 0);
// What the detector counted by this name; nothing if it did not.
[[nodiscard]] std::optional<double> statistic(const ProgramResults& program, std::string_view name);

struct Mean {
  double value;
  std::size_t programs;  // that it is of
};
// Nothing if there are no values.
[[nodiscard]] std::optional<Mean> geometric_mean(const std::vector<double>& values);
// Of the median ratios of all programs that have one.
[[nodiscard]] std::optional<Mean> geometric_mean(const Measurements& all, std::size_t column,
                                                 Quantity quantity, std::size_t base = 0);

}  // namespace bench
