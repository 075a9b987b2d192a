// The options of `anyorder check`: what they are and which of them fit together.
#include <algorithm>
#include <initializer_list>

#include "cli/check.hpp"
#include "cli/detectors.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

constexpr const char* kCheckDescription =
    R"(Runs a program that was compiled with `anyorder c++` and tells whether it has a race on any schedule of its input.

The report goes to stderr. Exit codes: 0 clean (or the program's own, if it is another), 66 a race or a deadlock,
65 unknown, 64 wrong usage, 70 an error of the tool.)";

bool ends_with_one_of(const std::string& path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return path.ends_with(ending); });
}

void reject_what_does_not_fit(const CheckOptions& options) {
  if (!is_known_detector(options.detector)) {
    throw UsageError("There is no detector '" + options.detector +
                     "'. Known detectors: " + names_of_detectors() + ".");
  }
  if (!options.graph.empty()) {
    if (options.detector != kGraphDetector) {
      throw UsageError(
          "--graph works only with --detector graph: no other detector keeps the computation graph.");
    }
    if (!ends_with_one_of(options.graph, {".json", ".dot", ".gv"})) {
      throw UsageError("--graph " + options.graph +
                       ": the name has to end with .json for JSON, or with .dot or .gv " + "for Graphviz.");
    }
  }
}

}  // namespace

std::optional<CheckOptions> check_options(std::span<const std::string> arguments) {
  CheckOptions options;
  CLI::App app(kCheckDescription, "anyorder check");
  app.add_option("--detector", options.detector,
                 "one of: " + names_of_detectors() + " (see anyorder detectors)")
      ->envname(support::kDetector.name)
      ->default_str(std::string(kDefaultDetector))
      ->type_name("NAME");
  add_joins_option(app, options.joins, "off");
  add_program_options(app, options);
  app.add_option("--baseline", options.baseline,
                 "an earlier report, JSON or SARIF: only races that are not in it count as findings")
      ->type_name("FILE");
  app.add_option(
         "--suppressions", options.suppressions,
         "a file that lists races by line, function, variable or task: they are counted, not reported")
      ->type_name("FILE");
  app.add_option("--graph", options.graph,
                 "write the computation graph to this file: .json, or .dot for Graphviz")
      ->type_name("FILE");
  app.add_flag("--explain", options.explain,
               "whole call stacks and the missing join of each race; runs the program a second time");
  app.add_flag("--stats", options.stats, "add what the detector counted to the text");
  if (!parse_program(app, options, arguments)) return std::nullopt;
  if (options.detector.empty()) options.detector = options.graph.empty() ? kDefaultDetector : kGraphDetector;
  reject_what_does_not_fit(options);
  return options;
}

}  // namespace anyorder::cli
