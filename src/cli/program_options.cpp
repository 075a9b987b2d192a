#include "cli/program_options.hpp"

#include <algorithm>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "deadlock/policy.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

// "anyorder check": what `name` says after "anyorder ".
std::string verb_of(const std::string& name) { return name.substr(name.find(' ') + 1); }

void reject_unknown_joins(const std::string& joins) {
  if (deadlock::policy_named(joins)) return;
  throw UsageError("There is no join policy '" + joins + "'. Policies: " + deadlock::names_of_policies() +
                   ".");
}

}  // namespace

void add_program_options(CLI::App& app, ProgramOptions& options, std::string_view joins) {
  options.joins = joins;
  set_usage(app, app.get_name() + " [options] [--] ./program arguments…");
  app.add_option("--joins", options.joins, "the join policy, one of: " + deadlock::names_of_policies())
      ->envname(support::kJoins.name)
      ->default_str(std::string(joins))
      ->type_name("NAME");
  app.add_option("--json", options.json, "write the report as JSON to this file; - is stdout")
      ->envname(support::kJson.name)
      ->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "no text if nothing was found");
  app.prefix_command();
}

bool parse_program(CLI::App& app, ProgramOptions& options, std::span<const std::string> arguments) {
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  if (parse(app, {arguments.begin(), mark})) return false;
  const std::string name = app.get_name();
  options.command = app.remaining();
  if (!options.command.empty() && options.command.front().starts_with('-')) {
    throw UsageError(name + " has no option " + options.command.front() + " (see " + name + " --help).");
  }
  if (mark != arguments.end()) {
    // After the program's name it is the program's.
    options.command.insert(options.command.end(), options.command.empty() ? mark + 1 : mark, arguments.end());
  }
  reject_unknown_joins(options.joins);
  if (options.command.empty()) {
    throw UsageError("There is no program to " + verb_of(name) + ". Usage: " + name +
                     " [options] -- ./program arguments…");
  }
  return true;
}

}  // namespace anyorder::cli
