// `anyorder run`: runs a program in parallel with a join policy, so that it does not hang in a deadlock, and
// reports what the policy found.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/program_options.hpp"

namespace anyorder::cli {

struct RunOptions : ProgramOptions {
  std::string joins;  // the join policy
};

// As check_options (check.hpp).
[[nodiscard]] std::optional<RunOptions> run_options(std::span<const std::string> arguments);

// The subcommand; its arguments without its name.
[[nodiscard]] int run(std::span<const std::string> arguments);

}  // namespace anyorder::cli
