// The options that all subcommands have which run a program, and the program's own command line behind them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the library's
class App;
}

namespace anyorder::cli {

struct ProgramOptions {
  std::string json;   // path of the JSON report; empty: none
  std::string sarif;  // likewise of the SARIF report
  bool quiet = false;
  std::vector<std::string> command;  // the program and its arguments; not empty
};

// `app` has the subcommand's name.
void add_program_options(CLI::App& app, ProgramOptions& options);
// --joins, the join policy; `fallback` is what holds if nothing is said.
void add_joins_option(CLI::App& app, std::string& joins, std::string_view fallback);

// Fills the variables that `app` knows. What is left: the first argument that is no option, or what follows
// "--", and all behind it. Nothing: the help was printed. Throws UsageError.
[[nodiscard]] std::optional<std::vector<std::string>> parse_words(CLI::App& app,
                                                                  std::span<const std::string> arguments);
// The same, where what is left is the command, which must be there. False: the help was printed.
[[nodiscard]] bool parse_program(CLI::App& app, ProgramOptions& options,
                                 std::span<const std::string> arguments);

}  // namespace anyorder::cli
