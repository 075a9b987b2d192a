// What the drivers' command lines have in common.
//
// Exit codes: 0 whatever the times are, 1 if a run failed or a verdict was wrong, 64 for wrong usage, 70 if
// runs cannot be set up, 130 after Ctrl-C, which prints what there is.
#pragma once

#include <CLI/CLI.hpp>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "runs/build_facts.hpp"
#include "runs/measurements.hpp"

namespace bench {

struct Options {
  std::size_t rounds = 5;
  std::string size = "small";
  std::vector<std::string> programs;
  bool no_tsan = false;
  std::string instrument = "hooks";
  bool smoke = false;
  std::string json;
};

// The programs that are `wanted`, by name.
[[nodiscard]] std::vector<std::string> names_of_programs(bool (*wanted)(const Program&));

// Adds these options to the command line; `sizes` and `programs` are what --size and --programs may name.
void add_options(CLI::App& app, Options& options, const std::vector<std::string>& sizes,
                 const std::vector<std::string>& programs);
// To be called after the command line was parsed: --smoke decides size and rounds.
void apply_smoke(Options& options);

// To be called with a driver's columns: --instrument decides by what programs are instrumented.
void apply_instrument(const Options& options, std::vector<Column>& columns);

// The programs that were chosen, at the size that was, with nothing measured.
[[nodiscard]] std::vector<ProgramResults> chosen_programs(const Options& options, std::size_t columns);

// A file that was asked for on the command line. An empty path: none was. Throws UsageError if it cannot be
// written, before the long runs.
class OutputFile {
 public:
  OutputFile(const std::string& driver, std::string path);
  // Calls `write` with the file, if there is one. Throws EnvironmentError if it could not be written to its
  // end.
  void write(const std::function<void(std::ostream&)>& write);

 private:
  std::string path_;
  std::ofstream file_;
};

// The exit code after run_rounds, with a word on stderr if the user cut it short.
[[nodiscard]] int exit_code_of(bool right);

// The main function: `drive(arguments)` returns the exit code; what it throws becomes one, with a message.
int run_driver(const std::string& name, int argc, char** argv,
               const std::function<int(const std::vector<std::string>&)>& drive);

}  // namespace bench
