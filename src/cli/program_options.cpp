#include "cli/program_options.hpp"

#include <algorithm>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "deadlock/policy.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

// "check", of "anyorder check".
std::string verb_of(const std::string& name) { return name.substr(name.find(' ') + 1); }

std::string reject_unknown_joins(const std::string& joins) {
  if (deadlock::policy_named(joins)) return {};
  return "There is no join policy '" + joins + "'. Policies: " + deadlock::names_of_policies() + ".";
}

}  // namespace

void add_program_options(CLI::App& app, ProgramOptions& options) {
  set_usage(app, app.get_name() + " [options] [--] ./program arguments…");
  app.add_option("--json", options.json, "write the report as JSON to this file; - is stdout")
      ->envname(support::kJson.name)
      ->type_name("FILE");
  app.add_option("--sarif", options.sarif, "write the report as SARIF 2.1.0 to this file; - is stdout")
      ->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "no text if nothing was found");
  app.prefix_command();
}

void add_joins_option(CLI::App& app, std::string& joins, std::string_view fallback) {
  joins = fallback;
  app.add_option("--joins", joins, "the join policy, one of: " + deadlock::names_of_policies())
      ->envname(support::kJoins.name)
      ->default_str(std::string(fallback))
      ->type_name("NAME")
      ->check(reject_unknown_joins);
}

std::optional<std::vector<std::string>> parse_words(CLI::App& app, std::span<const std::string> arguments) {
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  if (parse(app, {arguments.begin(), mark})) return std::nullopt;
  std::vector<std::string> words = app.remaining();
  if (!words.empty() && words.front().starts_with('-')) {
    const std::string& name = app.get_name();
    throw UsageError(name + " has no option " + words.front() + " (see " + name + " --help).");
  }
  if (mark != arguments.end()) {
    // After the program's name it is the program's.
    words.insert(words.end(), words.empty() ? mark + 1 : mark, arguments.end());
  }
  return words;
}

bool parse_program(CLI::App& app, ProgramOptions& options, std::span<const std::string> arguments) {
  auto words = parse_words(app, arguments);
  if (!words) return false;
  if (words->empty()) {
    const std::string& name = app.get_name();
    throw UsageError("There is no program to " + verb_of(name) + ". Usage: " + name +
                     " [options] -- ./program arguments…");
  }
  options.command = *std::move(words);
  return true;
}

}  // namespace anyorder::cli
