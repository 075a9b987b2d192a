// What a check costs: runs each program plain, with empty hooks, under detectors and under ThreadSanitizer,
// in turns, and prints the ratios. Exit codes: runs/driver.hpp.
#include <iostream>

#include "checked/output.hpp"
#include "cli/detectors.hpp"
#include "cli/options.hpp"
#include "runs/driver.hpp"
#include "runs/rounds.hpp"

namespace {

namespace cli = anyorder::cli;
using bench::Way;

constexpr const char* kName = "bench_checked";

std::vector<std::string> all_detectors() {
  std::vector<std::string> names;
  for (const auto& traits : cli::known_detectors()) names.emplace_back(traits.name);
  return names;
}

bench::Measurements nothing_yet(const bench::Options& options, const std::vector<std::string>& detectors) {
  bench::Measurements all;
  all.columns = {{Way::plain, "plain"}, {Way::hooks, "hooks"}};
  for (const std::string& detector : detectors) all.columns.push_back({Way::detector, detector});
  if (bench::kHasThreadSanitizer && !options.no_tsan) all.columns.push_back({Way::tsan, "tsan"});
  bench::apply_instrument(options, all.columns);
  all.programs = bench::chosen_programs(options, all.columns.size());
  return all;
}

int measure(const std::vector<std::string>& arguments) {
  bench::Options options;
  std::vector<std::string> detectors = all_detectors();
  CLI::App app("Measures what checks cost next to plain runs; bench/README.md explains the columns.", kName);
  bench::add_options(app, options, {"tiny", "small", "large"},
                     bench::names_of_programs([](const bench::Program&) { return true; }));
  auto detector_names = all_detectors();
  detector_names.emplace_back("none");
  app.add_option("--detectors", detectors, "default: all; none: no detector")
      ->delimiter(',')
      ->check(CLI::IsMember(detector_names));
  if (const auto code = cli::parse(app, arguments)) return *code;
  std::erase(detectors, "none");
  bench::apply_smoke(options);

  bench::OutputFile json(kName, options.json);
  bench::Measurements all = nothing_yet(options, detectors);
  const bool right = bench::run_rounds(all, options.rounds);
  bench::write_table(std::cout, all);
  json.write([&](std::ostream& out) { bench::write_json(out, all); });
  return bench::exit_code_of(right);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_driver(kName, argc, argv, measure); }
