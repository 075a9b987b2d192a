// The benchmark suite of the known joins paper: runs each program, with futures as its only synchronisation,
// under each join policy in turns, and prints time and memory as ratios to none. Exit codes: runs/driver.hpp.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "cli/options.hpp"
#include "joins/output.hpp"
#include "joins/published.hpp"
#include "runs/driver.hpp"
#include "runs/rounds.hpp"

namespace {

constexpr const char* kName = "bench_joins";

int measure(const std::vector<std::string>& arguments) {
  std::size_t rounds = 10;
  unsigned workers = 2;
  std::string size = "scaled";
  std::string json_path;
  std::vector<std::string> chosen;
  std::vector<std::string> policies{"known", "known-vc", "cycle"};
  bool smoke = false;
  CLI::App app("Runs the benchmark suite of the known joins paper; bench/README.md explains the columns.",
               kName);
  app.add_option("--rounds", rounds, "runs of each program under each policy")->check(CLI::Range(1, 1000));
  app.add_option("--workers", workers, "threads that run tasks")->check(CLI::Range(1, 1024));
  app.add_option("--size", size, "tiny, scaled or paper")->check(CLI::IsMember({"tiny", "scaled", "paper"}));
  app.add_option("--programs", chosen, "only these")->delimiter(',');
  app.add_option("--policies", policies, "these beside none")
      ->delimiter(',')
      ->check(CLI::IsMember({"known", "known-vc", "cycle"}));
  app.add_option("--json", json_path, "write all samples to this file")->type_name("FILE");
  app.add_flag("--smoke", smoke, "one round at tiny sizes");
  if (const auto code = anyorder::cli::parse(app, arguments)) return *code;
  if (smoke) {
    rounds = 1;
    size = "tiny";
  }

  bench::OutputFile json(kName, json_path);
  bench::Measurements all;
  all.columns.push_back({bench::Way::joins, "off", workers});
  for (const std::string& policy : policies) all.columns.push_back({bench::Way::joins, policy, workers});
  for (const bench::joins::Program& program : bench::joins::kPrograms) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), program.program) == chosen.end()) continue;
    bench::ProgramResults results;
    results.name = program.program;
    results.size = size == "tiny" ? program.tiny : size == "paper" ? program.paper : program.scaled;
    results.columns.resize(all.columns.size());
    all.programs.push_back(std::move(results));
  }
  const bool right = bench::run_rounds(all, rounds);
  bench::joins::write_table(std::cout, all);
  json.write([&](std::ostream& out) { bench::joins::write_json(out, all); });
  return bench::exit_code_of(right);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_driver(kName, argc, argv, measure); }
