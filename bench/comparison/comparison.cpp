#include "comparison/comparison.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <string_view>

#include <anyorder/anyorder.hpp>

#include "comparison/statistics.hpp"

namespace bench {
namespace {

namespace ao = anyorder;
using Clock = std::chrono::steady_clock;

constexpr int kPairs = 7;        // in one repetition
constexpr int kRepetitions = 5;  // shuffled among those of all comparisons

// One comparison with one number of workers, and what was measured.
struct Row {
  Comparison comparison;
  unsigned workers;
  bool wrong = false;
  std::vector<double> measured_ns{}, reference_ns{}, ratios{};  // per unit, one of each per pair
};

// Calls the worker threads from what they did before.
void gather(Runs runs) {
  constexpr int kTasks = 200;
  if (runs == Runs::on_anyorder || runs == Runs::on_anyorder_serially) {
    ao::finish([] {
      for (int i = 0; i != kTasks; ++i) ao::async([i] { benchmark::DoNotOptimize(i); });
    });
  } else if (runs == Runs::on_onetbb) {
    tbb::task_group group;
    for (int i = 0; i != kTasks; ++i) group.run([i] { benchmark::DoNotOptimize(i); });
    group.wait();
  }
}

// Time of one run in nanoseconds; nothing if its result is wrong.
std::optional<double> time_of(const Side& side, std::uint64_t result, tbb::task_arena& arena) {
  std::optional<double> time;
  const auto run = [&] {
    gather(side.runs);
    const Clock::time_point begin = Clock::now();
    const std::uint64_t computed = side.run();
    const std::chrono::duration<double, std::nano> taken = Clock::now() - begin;
    if (computed == result) time = taken.count();
  };
  if (side.runs == Runs::on_onetbb) {
    arena.execute(run);
  } else {
    run();
  }
  return time;
}

void configure(const Side& side, unsigned workers) {
  if (side.runs == Runs::on_onetbb || side.runs == Runs::on_neither) return;
  ao::options options = ao::configuration();
  const ao::executor wanted =
      side.runs == Runs::on_anyorder_serially ? ao::executor::serial : ao::executor::parallel;
  if (options.run == wanted && options.workers == workers) return;
  options.run = wanted;
  options.workers = workers;
  ao::configure(options);
}

void repeat(benchmark::State& state, Row& row) {
  const Comparison& comparison = row.comparison;
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, row.workers);
  tbb::task_arena arena(static_cast<int>(row.workers));
  configure(comparison.measured, row.workers);
  if (comparison.check && !comparison.check()) {
    row.wrong = true;
    state.SkipWithError("the check of the result failed");
    return;
  }
  bool measured_first = true;
  for (auto _ : state) {
    const Side* const sides[] = {measured_first ? &comparison.measured : &comparison.reference,
                                 measured_first ? &comparison.reference : &comparison.measured};
    double ns[2] = {};  // of the measured side, of the reference
    for (const Side* side : sides) {
      configure(*side, row.workers);
      const std::optional<double> time = time_of(*side, comparison.result, arena);
      if (!time) {
        row.wrong = true;
        state.SkipWithError("a run returned a wrong result");
        return;
      }
      ns[side == &comparison.reference ? 1 : 0] = *time / comparison.units;
    }
    row.measured_ns.push_back(ns[0]);
    row.reference_ns.push_back(ns[1]);
    row.ratios.push_back(ns[0] / ns[1]);
    state.SetIterationTime((ns[0] + ns[1]) * comparison.units * 1e-9);
    measured_first = !measured_first;
  }
  state.counters["ratio"] = spread_of(row.ratios).median;
  state.counters["measured_ns"] = spread_of(row.measured_ns).median;
  state.counters["reference_ns"] = spread_of(row.reference_ns).median;
}

// The table at the end says it all; meanwhile only errors and a sign of life.
class Progress final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        std::printf("%s: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
      }
    }
    if (!runs.empty()) std::fprintf(stderr, "measured: %s\n", runs.front().run_name.function_name.c_str());
  }
};

const char* verdict(double value, const std::optional<double>& at_most) {
  if (!at_most) return "";
  return value <= *at_most ? "meets" : "misses";
}

std::string target_of(const std::optional<double>& at_most, const char* unit) {
  if (!at_most) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "<= %.4g%s", *at_most, unit);
  return text;
}

void print_table(const std::deque<Row>& rows) {
  std::printf(
      "\nmeasured, reference: ns per unit, median over all pairs. ratio, quartiles, range: of the pairs' "
      "ratios.\n"
      "A target is for the ratio.\n\n"
      "%-44s %-9s %7s %10s %10s %7s %15s %15s %10s\n",
      "measured / reference", "unit", "workers", "measured", "reference", "ratio", "quartiles", "range",
      "target");
  for (const Row& row : rows) {
    if (row.ratios.empty()) continue;
    const Comparison& c = row.comparison;
    const Spread ratio = spread_of(row.ratios);
    std::printf("%-44s %-9s %7u %10.1f %10.1f %7.3f   %5.2f - %5.2f   %5.2f - %5.2f %10s %s\n",
                c.name.c_str(), c.unit.c_str(), row.workers, spread_of(row.measured_ns).median,
                spread_of(row.reference_ns).median, ratio.median, ratio.first_quartile, ratio.third_quartile,
                ratio.least, ratio.most, target_of(c.most_times, "x").c_str(),
                verdict(ratio.median, c.most_times));
  }
  std::printf("\n");
  for (const Row& row : rows) {
    if (row.workers != rows.front().workers || row.ratios.empty()) continue;
    std::printf("  %-44s %s / %s\n", row.comparison.name.c_str(), row.comparison.measured.name.c_str(),
                row.comparison.reference.name.c_str());
  }
}

void print_figures(const std::vector<Figure>& figures) {
  if (figures.empty()) return;
  std::printf("\n");
  for (const Figure& figure : figures) {
    std::printf("%-60s %10.1f %-6s %12s %s\n", figure.name.c_str(), figure.value, figure.unit.c_str(),
                target_of(figure.at_most, "").c_str(), verdict(figure.value, figure.at_most));
  }
}

void write_array(std::FILE* file, const char* key, const std::vector<double>& values) {
  std::fprintf(file, ", \"%s\": [", key);
  for (std::size_t i = 0; i != values.size(); ++i)
    std::fprintf(file, "%s%.6g", i == 0 ? "" : ", ", values[i]);
  std::fprintf(file, "]");
}

void write_target(std::FILE* file, const char* key, const std::optional<double>& at_most) {
  if (at_most) std::fprintf(file, ", \"%s\": %.6g", key, *at_most);
}

// The names are ours: nothing in them needs escaping.
bool write_json(const std::string& path, const std::deque<Row>& rows, const std::vector<Figure>& figures) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file, "{\n  \"comparisons\": [");
  bool first = true;
  for (const Row& row : rows) {
    if (row.ratios.empty()) continue;
    const Comparison& c = row.comparison;
    std::fprintf(file,
                 "%s\n    { \"name\": \"%s\", \"workers\": %u, \"measured\": \"%s\", \"reference\": \"%s\", "
                 "\"unit\": \"%s\", \"median_ratio\": %.6g",
                 first ? "" : ",", c.name.c_str(), row.workers, c.measured.name.c_str(),
                 c.reference.name.c_str(), c.unit.c_str(), spread_of(row.ratios).median);
    write_target(file, "most_times", c.most_times);
    write_array(file, "ratios", row.ratios);
    write_array(file, "measured_ns", row.measured_ns);
    write_array(file, "reference_ns", row.reference_ns);
    std::fprintf(file, " }");
    first = false;
  }
  std::fprintf(file, "\n  ],\n  \"figures\": [");
  first = true;
  for (const Figure& figure : figures) {
    std::fprintf(file, "%s\n    { \"name\": \"%s\", \"unit\": \"%s\", \"value\": %.6g", first ? "" : ",",
                 figure.name.c_str(), figure.unit.c_str(), figure.value);
    write_target(file, "at_most", figure.at_most);
    std::fprintf(file, " }");
    first = false;
  }
  std::fprintf(file, "\n  ]\n}\n");
  return std::fclose(file) == 0;
}

void usage(const char* program) {
  std::printf(
      "usage: %s [--smoke] [--json FILE] [--benchmark_...]\n\n"
      "  --smoke       small sizes, one repetition: shows that everything runs, and with the right results\n"
      "  --json FILE   every sample, to make plots from\n\n"
      "Google Benchmark's options follow, e.g. --benchmark_filter=fib, --benchmark_repetitions=20,\n"
      "--benchmark_out=FILE. Exits with 0 whatever the times are, with 1 if a result was wrong.\n",
      program);
}

}  // namespace

int run(int argc, char** argv, const std::function<std::vector<Figure>(Sizes)>& figures,
        const std::function<std::vector<Comparison>(Sizes)>& comparisons) {
  Sizes sizes;
  std::string json;
  std::vector<char*> given;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") {
      usage(argv[0]);
      return 0;
    }
    if (argument == "--smoke") {
      sizes.smoke = true;
    } else if (argument == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else {
      given.push_back(argv[i]);
    }
  }
  std::string shuffled = "--benchmark_enable_random_interleaving=true";
  std::string repetitions = "--benchmark_repetitions=" + std::to_string(sizes.pick(kRepetitions, 1));
  std::vector<char*> arguments{argv[0], shuffled.data(), repetitions.data()};
  arguments.insert(arguments.end(), given.begin(), given.end());  // the last one counts
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 64;

  const std::vector<Figure> measured_figures = figures(sizes);
  std::deque<Row> rows;
  for (Comparison& comparison : comparisons(sizes)) {
    for (const unsigned workers : {1U, 2U}) {
      const Runs runs = comparison.measured.runs;
      const bool serial = runs == Runs::on_anyorder_serially || runs == Runs::on_neither;
      if (serial && workers != 1) continue;
      Row& row = rows.emplace_back(Row{comparison, workers});
      benchmark::RegisterBenchmark((comparison.name + "/" + std::to_string(workers)).c_str(),
                                   [&row](benchmark::State& state) { repeat(state, row); })
          ->UseManualTime()
          ->Iterations(sizes.pick(kPairs, 1));
    }
  }
  Progress progress;
  benchmark::RunSpecifiedBenchmarks(&progress);
  print_table(rows);
  print_figures(measured_figures);
  if (!json.empty() && !write_json(json, rows, measured_figures)) {
    std::fprintf(stderr, "%s: cannot write %s\n", argv[0], json.c_str());
    return 70;
  }
  for (const Row& row : rows) {
    if (row.wrong) return 1;
  }
  return 0;
}

}  // namespace bench
