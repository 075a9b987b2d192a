// `anyorder check`: runs a program with a detector in it and reports what was found.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/program_options.hpp"

namespace anyorder::cli {

struct CheckOptions : ProgramOptions {
  std::string detector;
  std::string joins;         // the join policy
  std::string baseline;      // path of an earlier report; empty: none
  std::string suppressions;  // path of a file that lists races; empty: none
  std::string graph;         // path of the computation graph; empty: none
  bool explain = false;
  bool stats = false;
};

// The options; nothing if the help was printed. Throws UsageError.
[[nodiscard]] std::optional<CheckOptions> check_options(std::span<const std::string> arguments);

// The subcommand; its arguments without its name.
[[nodiscard]] int check(std::span<const std::string> arguments);

}  // namespace anyorder::cli
