// The benchmark suite of the SPD3 paper: runs each program in parallel without a check, under detectors, and
// on plain oneTBB without and with ThreadSanitizer, in turns, for several numbers of workers. Exit codes:
// runs/driver.hpp.
#include <algorithm>
#include <iostream>

#include "cli/detectors.hpp"
#include "cli/options.hpp"
#include "parallel/output.hpp"
#include "parallel/suite.hpp"
#include "runs/driver.hpp"
#include "runs/rounds.hpp"

namespace {

namespace cli = anyorder::cli;
namespace parallel = bench::parallel;

constexpr const char* kName = "bench_parallel";

std::vector<std::string> names_of(const std::vector<anyorder::events::DetectorTraits>& detectors) {
  std::vector<std::string> names;
  for (const auto& traits : detectors) names.emplace_back(traits.name);
  return names;
}

int measure(const std::vector<std::string>& arguments) {
  bench::Options options;
  std::vector<unsigned> workers{1, 2};
  std::vector<std::string> detectors = names_of(parallel::detectors_of_suite(cli::known_detectors()));
  std::vector<std::string> known{"none"};
  for (const auto& traits : cli::known_detectors()) known.emplace_back(traits.name);
  std::string time = "wall";
  std::string svg_path;
  CLI::App app("Runs the benchmark suite of the SPD3 paper; bench/README.md explains the columns.", kName);
  bench::add_options(
      app, options, {"tiny", "small", "large", "paper"},
      bench::names_of_programs([](const bench::Program& program) { return program.in_parallel; }));
  app.add_option("--workers", workers, "numbers of them; default 1,2")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--detectors", detectors, "default: all that accept async and finish, without the oracle")
      ->delimiter(',')
      ->check(CLI::IsMember(known));
  app.add_option("--time", time, "that slowdowns are of: wall, the default, or processor")
      ->check(CLI::IsMember({"wall", "processor"}));
  app.add_option("--svg", svg_path, "write a plot of the slowdowns to this file")->type_name("FILE");
  if (const auto code = cli::parse(app, arguments)) return *code;
  bench::apply_smoke(options);
  std::sort(workers.begin(), workers.end());
  workers.erase(std::unique(workers.begin(), workers.end()), workers.end());

  bench::OutputFile json(kName, options.json);
  bench::OutputFile svg(kName, svg_path);
  parallel::Plan plan{workers, {}, bench::kHasThreadSanitizer && !options.no_tsan};
  for (const auto& traits : cli::known_detectors()) {
    if (std::find(detectors.begin(), detectors.end(), traits.name) != detectors.end()) {
      plan.detectors.push_back(traits);
    }
  }
  parallel::Suite suite{{parallel::columns(plan), {}},
                        workers,
                        time == "wall" ? bench::Quantity::seconds : bench::Quantity::processor_seconds};
  bench::apply_instrument(options, suite.all.columns);
  suite.all.programs = bench::chosen_programs(options, suite.all.columns.size());
  const bool right = bench::run_rounds(suite.all, options.rounds);
  parallel::write_tables(std::cout, suite);
  json.write([&](std::ostream& out) { parallel::write_json(out, suite); });
  svg.write([&](std::ostream& out) { parallel::write_svg(out, suite); });
  return bench::exit_code_of(right);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_driver(kName, argc, argv, measure); }
