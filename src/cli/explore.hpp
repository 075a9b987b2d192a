// `anyorder explore`: every order of a program's isolated sections that matters. `anyorder replay`: one of
// them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "cli/program_options.hpp"

namespace anyorder::cli {

struct ExploreOptions : ProgramOptions {
  std::string resume;  // path of what was learnt; empty: it is not kept
  std::uint64_t max_orders = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  double max_run_seconds = 60;
};

// Nothing: the help was printed. Throws UsageError.
[[nodiscard]] std::optional<ExploreOptions> explore_options(std::span<const std::string> arguments);

// The exit codes of the commands.
[[nodiscard]] int explore(std::span<const std::string> arguments);
[[nodiscard]] int replay(std::span<const std::string> arguments);

}  // namespace anyorder::cli
