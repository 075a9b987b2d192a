// The benchmark suite of the dtrg paper: runs each program without tasks, with tasks, checked by dtrg and
// under ThreadSanitizer, in turns, and prints the paper's table for these runs. Exit codes:
// runs/driver.hpp.
#include <iostream>

#include "cli/options.hpp"
#include "futures/output.hpp"
#include "futures/suite.hpp"
#include "runs/driver.hpp"
#include "runs/rounds.hpp"

namespace {

namespace suite = bench::suite;

constexpr const char* kName = "bench_futures";
constexpr const char* kPaperSize = "paper";

int measure(const std::vector<std::string>& arguments) {
  bench::Options options;
  std::string svg_path;
  CLI::App app("Runs the benchmark suite of the dtrg paper; bench/README.md explains the columns.", kName);
  bench::add_options(
      app, options, {"tiny", "small", "large", kPaperSize},
      bench::names_of_programs([](const bench::Program& program) { return program.in_futures; }));
  app.add_option("--svg", svg_path, "write a plot of the slowdowns to this file")->type_name("FILE");
  if (const auto code = anyorder::cli::parse(app, arguments)) return *code;
  bench::apply_smoke(options);

  bench::OutputFile json(kName, options.json);
  bench::OutputFile svg(kName, svg_path);
  bench::Measurements all;
  all.columns = suite::columns(bench::kHasThreadSanitizer && !options.no_tsan);
  bench::apply_instrument(options, all.columns);
  all.programs = bench::chosen_programs(options, all.columns.size());
  const bool right = bench::run_rounds(all, options.rounds);
  suite::write_tables(std::cout, all, options.size == kPaperSize);
  json.write([&](std::ostream& out) { suite::write_json(out, all); });
  svg.write([&](std::ostream& out) { suite::write_svg(out, all); });
  return bench::exit_code_of(right);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_driver(kName, argc, argv, measure); }
