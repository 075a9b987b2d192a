#include "cli/run.hpp"

#include <algorithm>

#include "cli/exit_code.hpp"
#include "cli/observed_run.hpp"
#include "cli/options.hpp"
#include "deadlock/policy.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

constexpr const char* kRunDescription =
    R"(Runs a program in parallel with a join policy: a get that would close a cycle of tasks that wait for each other
throws ao::deadlock_error instead of hanging. The program need not be instrumented.

The report goes to stderr. Exit codes: 0 clean (or the program's own, if it is another), 66 a deadlock was avoided, even
if the program caught the exception, or a race on a future's handle, 65 unknown, 64 wrong usage, 70 an error of the tool.)";

}  // namespace

void add_joins_option(CLI::App& app, std::string& joins, std::string_view fallback) {
  joins = fallback;
  app.add_option("--joins", joins, "the join policy, one of: " + std::string(deadlock::kPolicyNames))
      ->envname(support::kJoins.name)
      ->default_str(std::string(fallback))
      ->type_name("NAME");
}

void reject_unknown_joins(const std::string& joins) {
  if (deadlock::policy_named(joins)) return;
  throw UsageError("There is no join policy '" + joins +
                   "'. Policies: " + std::string(deadlock::kPolicyNames) + ".");
}

std::optional<RunOptions> run_options(std::span<const std::string> arguments) {
  RunOptions options;
  CLI::App app(kRunDescription, "anyorder run");
  set_usage(app, "anyorder run [options] [--] ./program arguments…");
  add_joins_option(app, options.joins, kDefaultJoins);
  app.add_option("--json", options.json, "write the report as JSON to this file; - is stdout")
      ->envname(support::kJson.name)
      ->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "no text if nothing was found");
  app.prefix_command();

  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  if (parse(app, {arguments.begin(), mark})) return std::nullopt;
  const bool has_mark = mark != arguments.end();
  options.command =
      program_of(app.remaining(), {has_mark ? mark + 1 : mark, arguments.end()}, has_mark, "anyorder run");
  reject_unknown_joins(options.joins);
  if (options.command.empty()) {
    throw UsageError("There is no program to run. Usage: anyorder run [options] -- ./program arguments…");
  }
  return options;
}

int run(std::span<const std::string> arguments) {
  const auto options = run_options(arguments);
  if (!options) return kExitSuccess;
  Observation observation;
  observation.command = options->command;
  observation.json = options->json;
  observation.library = "run";
  observation.judge = {"", options->joins};
  observation.quiet = options->quiet;
  return observe(observation);
}

}  // namespace anyorder::cli
