#include "cli/run.hpp"

#include "cli/exit_code.hpp"
#include "cli/observed_run.hpp"
#include "cli/options.hpp"

namespace anyorder::cli {
namespace {

constexpr const char* kRunDescription =
    R"(Runs a program in parallel with a join policy: a get that would close a cycle of tasks that wait for each other
throws ao::deadlock_error instead of hanging. The program need not be instrumented.

The report goes to stderr. Exit codes: 0 clean (or the program's own, if it is another), 66 a deadlock was avoided, even
if the program caught the exception, or a race on a future's handle, 65 unknown, 64 wrong usage, 70 an error of the tool.)";

}  // namespace

std::optional<RunOptions> run_options(std::span<const std::string> arguments) {
  RunOptions options;
  CLI::App app(kRunDescription, "anyorder run");
  add_joins_option(app, options.joins, "known");
  add_program_options(app, options);
  if (!parse_program(app, options, arguments)) return std::nullopt;
  return options;
}

int run(std::span<const std::string> arguments) {
  const auto options = run_options(arguments);
  if (!options) return kExitSuccess;
  Observation observation{*options};
  observation.library = "run";
  observation.judge = {"", options->joins};
  return observe(observation);
}

}  // namespace anyorder::cli
