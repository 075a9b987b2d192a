// The command `anyorder`: finds the subcommand and turns errors into messages and exit codes.
#pragma once

#include <span>
#include <string>

namespace anyorder::cli {

// `name` is what the command was called by: "anyorder-c++" and "anyorder-cc" are compilers.
[[nodiscard]] int run_command(const std::string& name, std::span<const std::string> arguments);

}  // namespace anyorder::cli
