// `anyorder check`: runs a program with a detector in it and reports what was found.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace anyorder::cli {

struct CheckOptions {
  std::string detector;
  std::string joins;         // the join policy
  std::string json;          // path of the JSON report; empty: none
  std::string sarif;         // likewise of the SARIF report
  std::string baseline;      // path of an earlier report; empty: none
  std::string suppressions;  // path of a file that lists races; empty: none
  std::string graph;         // path of the computation graph; empty: none
  bool explain = false;
  bool stats = false;
  bool quiet = false;
  std::vector<std::string> command;  // the program and its arguments; not empty
};

// The options; nothing if the help was printed. Throws UsageError. The first argument that is no option, or
// what follows "--", begins the program's own command line.
[[nodiscard]] std::optional<CheckOptions> check_options(std::span<const std::string> arguments);

// The subcommand; its arguments without its name.
[[nodiscard]] int check(std::span<const std::string> arguments);

}  // namespace anyorder::cli
