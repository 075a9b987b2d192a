// `anyorder c++` and `anyorder cc`: call the compiler so that `anyorder check` sees what the program does.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/compiler_choice.hpp"
#include "cli/installation.hpp"
#include "cli/instrumentation.hpp"

namespace anyorder::cli {

// The whole command: `compiler`, the user's arguments in their order, and what has to come before and after
// them. Untouched if there is no input. Throws UsageError for arguments that cannot lead to a program that is
// checked.
[[nodiscard]] std::vector<std::string> instrumented_command(const std::vector<std::string>& compiler,
                                                            CompilerFamily family, Instrumentation kind,
                                                            Language language,
                                                            std::span<const std::string> arguments,
                                                            const Installation& installation);

// Does not return if the compiler was started: it takes the place of this process.
[[nodiscard]] int compile(Language language, std::span<const std::string> arguments);

}  // namespace anyorder::cli
