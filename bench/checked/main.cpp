// What a check costs: runs each program plain, with empty hooks, under detectors and under ThreadSanitizer,
// in turns, and prints the ratios. Exit codes: 0 whatever the times are, 1 if a run failed or a verdict was
// wrong, 64 for wrong usage, 70 if runs cannot be set up, 130 after Ctrl-C, which prints what there is.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <signal.h>

#include "checked/build_facts.hpp"
#include "checked/measurements.hpp"
#include "checked/output.hpp"
#include "cli/detectors.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace {

namespace cli = anyorder::cli;
using anyorder::findings::Verdict;
using bench::Way;

constexpr int kExitWrong = 1;
constexpr int kExitInterrupted = 128 + SIGINT;

struct Options {
  std::size_t rounds = 5;
  std::string size = "small";
  std::vector<std::string> programs;
  std::vector<std::string> detectors;
  bool no_tsan = false;
  bool smoke = false;
  std::string json;
};

volatile sig_atomic_t interrupted = 0;

// The program that runs gets the terminal's SIGINT, too, and ends by it.
void end_at_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

std::vector<std::string> names_of_programs() {
  std::vector<std::string> names;
  for (const bench::Program& program : bench::kPrograms) names.emplace_back(program.name);
  return names;
}

std::vector<std::string> all_detectors() {
  std::vector<std::string> names;
  for (const auto& traits : cli::known_detectors()) names.emplace_back(traits.name);
  return names;
}

// With a value, the program is to end with it.
std::optional<int> parse(Options& options, int argc, char** argv) {
  CLI::App app("Measures what checks cost next to plain runs; bench/README.md explains the columns.",
               "bench_checked");
  options.programs = names_of_programs();
  options.detectors = all_detectors();
  app.add_option("--rounds", options.rounds, "how often each run is made; default 5")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--size", options.size, "of the problems: tiny, small (default) or large")
      ->check(CLI::IsMember({"tiny", "small", "large"}));
  app.add_option("--programs", options.programs, "default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(names_of_programs()));
  auto detector_names = all_detectors();
  detector_names.emplace_back("none");
  app.add_option("--detectors", options.detectors, "default: all; none: no detector")
      ->delimiter(',')
      ->check(CLI::IsMember(detector_names));
  app.add_flag("--no-tsan", options.no_tsan, "leave ThreadSanitizer out");
  app.add_option("--json", options.json, "write every sample to this file")->type_name("FILE");
  app.add_flag("--smoke", options.smoke, "tiny sizes, one round: only shows that everything runs");
  if (const auto code = cli::parse(app, std::vector<std::string>(argv + 1, argv + argc))) return code;
  std::erase(options.detectors, "none");
  if (options.smoke) {
    options.rounds = 1;
    options.size = "tiny";
  }
  return std::nullopt;
}

bench::Measurements nothing_yet(const Options& options) {
  bench::Measurements all;
  all.columns = {{Way::plain, "plain"}, {Way::hooks, "hooks"}};
  for (const std::string& detector : options.detectors) all.columns.push_back({Way::detector, detector});
  if (bench::kHasThreadSanitizer && !options.no_tsan) all.columns.push_back({Way::tsan, "tsan"});
  for (const bench::Program& program : bench::kPrograms) {
    const std::string name(program.name);
    if (std::find(options.programs.begin(), options.programs.end(), name) == options.programs.end()) continue;
    const long size = options.size == "tiny"    ? program.tiny
                      : options.size == "small" ? program.small
                                                : program.large;
    all.programs.push_back({name, size, std::vector<bench::Series>(all.columns.size()), std::nullopt});
  }
  return all;
}

// False: the result cannot be right.
bool take(bench::ProgramResults& program, bench::Series& series, const bench::Column& column,
          const bench::Outcome& outcome) {
  if (column.way == Way::detector) {
    if (outcome.sample && !program.counters) program.counters = outcome.counters;
    // Unknown: the detector does not know all constructs of the program, and did less than a check.
    if (outcome.verdict != Verdict::clean) series.remark = to_string(outcome.verdict);
    if (outcome.verdict == Verdict::race || outcome.verdict == Verdict::deadlock) {
      std::cerr << program.name << " " << program.size << ", " << column.name
                << ": the program has nothing of the kind, but the verdict is " << series.remark << ".\n";
      return false;
    }
  }
  if (!outcome.sample) {
    series.remark = "failed";
    std::cerr << program.name << " " << program.size << ", " << column.name << ": the run failed. "
              << outcome.complaint << '\n';
    return false;
  }
  series.rounds.back() = outcome.sample;
  return true;
}

// One run of the program in each way, beginning with another one each round. False: a result was wrong.
bool run_in_turns(bench::Measurements& all, bench::ProgramResults& program, std::size_t round) {
  bool right = true;
  for (bench::Series& series : program.columns) series.rounds.emplace_back();
  for (std::size_t turn = 0; turn < all.columns.size(); ++turn) {
    const std::size_t column = (round + turn) % all.columns.size();
    bench::Series& series = program.columns[column];
    if (!series.remark.empty()) continue;
    const bench::Outcome outcome = bench::run(program.name, program.size, all.columns[column]);
    if (interrupted != 0) break;
    right &= take(program, series, all.columns[column], outcome);
  }
  return right;
}

bool run_rounds(bench::Measurements& all, std::size_t rounds) {
  bool right = true;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (bench::ProgramResults& program : all.programs) {
      right &= run_in_turns(all, program, round);
      if (interrupted != 0) return right;
    }
  }
  return right;
}

int measure(const Options& options) {
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json) throw cli::UsageError("bench_checked: The file " + options.json + " cannot be written.");
  }
  end_at_interrupt();
  bench::Measurements all = nothing_yet(options);
  const bool right = run_rounds(all, options.rounds);
  bench::write_table(std::cout, all);
  if (json.is_open()) {
    bench::write_json(json, all);
    json.close();
    if (!json) throw cli::EnvironmentError("The file " + options.json + " could not be written to its end.");
  }
  if (interrupted != 0) {
    std::cerr << "Interrupted: the last round is not complete.\n";
    return kExitInterrupted;
  }
  return right ? cli::kExitSuccess : kExitWrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const auto code = parse(options, argc, argv)) return *code;
    return measure(options);
  } catch (const cli::UsageError& error) {
    std::cerr << error.what() << '\n';
    return cli::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << "bench_checked: " << error.what() << '\n';
    return cli::kExitInternal;
  }
}
