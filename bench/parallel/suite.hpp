// The suite's measurements: which columns there are, and which of them are compared with which.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "events/detector.hpp"
#include "parallel/published.hpp"
#include "runs/measurements.hpp"

namespace bench::parallel {

// What is measured.
struct Plan {
  std::vector<unsigned> workers;  // how many, each for a measurement
  std::vector<anyorder::events::DetectorTraits> detectors;
  bool tsan;
};

// Those that measure async and finish under `anyorder check`: all that accept them, without the oracle.
[[nodiscard]] std::vector<anyorder::events::DetectorTraits> detectors_of_suite(
    std::span<const anyorder::events::DetectorTraits> registered);

// plain for each number of workers; each detector, once if it needs the serial executor; oneTBB, without and
// with ThreadSanitizer.
[[nodiscard]] std::vector<Column> columns(const Plan& plan);

// A slowdown: a column of the measurements, to the one without a check.
struct Comparison {
  std::string name;  // of the detector, or "tsan"
  bool is_tsan;
  bool is_serial;  // the same run, whatever the number of workers
  std::size_t column;
  std::size_t base;  // the program without a check, with this number of workers, on the same library
};

struct Suite {
  Measurements all;
  std::vector<unsigned> workers;
  Quantity time = Quantity::seconds;  // what slowdowns are of
};

[[nodiscard]] bool has_tsan(const Suite& suite);

// With this number of workers. ThreadSanitizer is the last one, if it is there.
[[nodiscard]] std::vector<Comparison> comparisons(const Suite& suite, unsigned workers);
// The column, which has to be there.
[[nodiscard]] std::size_t column_of(const Suite& suite, Way way, unsigned workers);

// By how much a slowdown changes from the first number of workers to the last: the ratio of its medians.
// Nothing if one of the two is not there.
[[nodiscard]] std::optional<double> growth(const Suite& suite, const ProgramResults& program,
                                           const Comparison& first, const Comparison& last);
// Of all programs that have one.
[[nodiscard]] std::optional<Mean> mean_growth(const Suite& suite, const Comparison& first,
                                              const Comparison& last);
// The pairs that growth is asked of: what runs in parallel, with the first and the last number of workers.
// Empty if there is one number only.
[[nodiscard]] std::vector<std::pair<Comparison, Comparison>> scaling_pairs(const Suite& suite);

}  // namespace bench::parallel
