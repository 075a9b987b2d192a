// `anyorder run`: runs a program in parallel with a join policy, so that it does not hang in a deadlock, and
// reports what the policy found.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::cli {

inline constexpr std::string_view kDefaultJoins = "known";

struct RunOptions {
  std::string joins;
  std::string json;  // path of the JSON report; empty: none
  bool quiet = false;
  std::vector<std::string> command;  // the program and its arguments; not empty
};

// As check_options (check.hpp).
[[nodiscard]] std::optional<RunOptions> run_options(std::span<const std::string> arguments);

// --joins, for any subcommand that runs a program.
void add_joins_option(CLI::App& app, std::string& joins, std::string_view fallback);
// Throws UsageError if there is no such policy.
void reject_unknown_joins(const std::string& joins);

// The subcommand; its arguments without its name.
[[nodiscard]] int run(std::span<const std::string> arguments);

}  // namespace anyorder::cli
