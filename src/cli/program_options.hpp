// The options that all subcommands have which run a program, and the program's own command line behind them.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::cli {

struct ProgramOptions {
  std::string joins;  // the join policy
  std::string json;   // path of the JSON report; empty: none
  bool quiet = false;
  std::vector<std::string> command;  // the program and its arguments; not empty
};

// `app` has the subcommand's name. `joins` is what holds if nothing is said.
void add_program_options(CLI::App& app, ProgramOptions& options, std::string_view joins);

// Fills the variables that `app` knows, and the command: the first argument that is no option, or what
// follows
// "--", begins it. False: the help was printed. Throws UsageError.
[[nodiscard]] bool parse_program(CLI::App& app, ProgramOptions& options,
                                 std::span<const std::string> arguments);

}  // namespace anyorder::cli
