// What `anyorder check` and `anyorder run` have in common: a program runs with another library in the place
// of libanyorder, and what it records is reported.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace anyorder::cli {

struct Observation {
  std::vector<std::string> command;   // the program and its arguments; not empty
  std::string json;                   // path of the JSON report; empty: none
  std::string sarif;                  // likewise of the SARIF report
  std::string baseline;               // path of an earlier report; empty: none
  std::string suppressions;           // path of a file that lists races; empty: none
  std::string library;                // below the folder of libraries: a detector's name, or "run"
  std::vector<std::string> settings;  // NAME=value each, for the program
  report::Judge judge;
  bool explain = false;  // whole stacks, and what is missing: by a second run, if the graph was not kept
  bool stats = false;
  bool quiet = false;
};

// What the program gets instead of `inherited` (NAME=value each): the library, the settings, and none of the
// tool's own variables but those.
[[nodiscard]] std::vector<std::string> observed_environment(std::span<const std::string> inherited,
                                                            const std::string& library,
                                                            std::span<const std::string> settings);

// That of the command, from the verdict and from how the program ended.
[[nodiscard]] int exit_code_of(const report::Report& report);

// Runs and reports; the exit code of the command. All that can be known to fail does so before the program
// runs, with UsageError or EnvironmentError.
[[nodiscard]] int observe(const Observation& observation);

// The command line of the program: what the options left over, and what follows "--". `command` names the
// subcommand in errors.
[[nodiscard]] std::vector<std::string> program_of(std::vector<std::string> left_over,
                                                  std::span<const std::string> after_mark, bool has_mark,
                                                  const std::string& command);

}  // namespace anyorder::cli
