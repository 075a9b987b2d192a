// The suite's measurements: which columns there are, and the numbers that are told of a program.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "futures/published.hpp"
#include "runs/measurements.hpp"

namespace bench::suite {

inline constexpr const char* kDetector = "dtrg";

// Columns; the last one may be missing.
inline constexpr std::size_t kSerial = 0;
inline constexpr std::size_t kPlain = 1;
inline constexpr std::size_t kChecked = 2;
inline constexpr std::size_t kTsan = 3;

[[nodiscard]] std::vector<Column> columns(bool with_tsan);
[[nodiscard]] inline bool has_tsan(const Measurements& all) { return all.columns.size() > kTsan; }

// Times are of the processor: runs are serial, and the wall clock of a busy machine tells more of the others.
inline constexpr Quantity kTime = Quantity::processor_seconds;

struct Counts {
  std::uint64_t tasks;
  std::uint64_t non_tree_joins;
  std::uint64_t accesses;
  double average_readers;
};
// What the detector counted; nothing if no checked run came to its end.
[[nodiscard]] std::optional<Counts> counts_of(const ProgramResults& program);

// The geometric mean of what was published about the programs of these measurements.
[[nodiscard]] std::optional<Mean> published_mean(const Measurements& all);

}  // namespace bench::suite
