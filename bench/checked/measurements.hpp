// What was measured: samples by program, column and round, and the ratios that follow from them.
//
// A ratio is of two runs of the same round: what else the machine did then met both much alike. A round that
// was cut short counts for the columns that it has together with plain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checked/run.hpp"
#include "comparison/statistics.hpp"

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
  std::optional<anyorder::record::Counters> counters;
};

enum class Quantity : std::uint8_t { seconds, processor_seconds, peak_bytes };

struct Measurements {
  std::vector<Column> columns;  // the first is plain
  std::vector<ProgramResults> programs;
};

[[nodiscard]] double value_of(const Sample& sample, Quantity quantity);
// Of the values of one column; nothing if there is none.
[[nodiscard]] std::optional<Spread> spread_of(const Series& series, Quantity quantity);
// Of the ratios to plain, round by round; nothing if no round has both, or with a remark.
[[nodiscard]] std::optional<Spread> ratios_to_plain(const ProgramResults& program, std::size_t column,
                                                    Quantity quantity);

struct Mean {
  double value;
  std::size_t programs;  // that it is of
};
// The geometric mean of the median ratios of all programs that have one; nothing if none has.
[[nodiscard]] std::optional<Mean> geometric_mean(const Measurements& all, std::size_t column,
                                                 Quantity quantity);

}  // namespace bench
