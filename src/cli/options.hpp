// Parsing of a subcommand's options with CLI11, whose exit codes are mapped to ours.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

namespace anyorder::cli {

// What the help shows as usage. CLI11 2.1 knows only its own form, which has no place for a program's
// arguments.
void set_usage(CLI::App& app, const std::string& usage);

// Fills the variables that `app` knows. With a value, the subcommand is to end with it: the help was printed.
// Throws UsageError for what cannot be understood.
[[nodiscard]] std::optional<int> parse(CLI::App& app, std::span<const std::string> arguments);

}  // namespace anyorder::cli
