#include "runs/driver.hpp"

#include <algorithm>
#include <iostream>
#include <signal.h>

#include "cli/exit_code.hpp"
#include "runs/rounds.hpp"

namespace bench {
namespace {

namespace cli = anyorder::cli;

constexpr int kExitWrong = 1;
constexpr int kExitInterrupted = 128 + SIGINT;

long size_of(const Program& program, const std::string& size) {
  if (size == "tiny") return program.tiny;
  if (size == "small") return program.small;
  return size == "large" ? program.large : program.paper;
}

}  // namespace

std::vector<std::string> names_of_programs(bool (*wanted)(const Program&)) {
  std::vector<std::string> names;
  for (const Program& program : kPrograms) {
    if (wanted(program)) names.emplace_back(program.name);
  }
  return names;
}

void add_options(CLI::App& app, Options& options, const std::vector<std::string>& sizes,
                 const std::vector<std::string>& programs) {
  options.programs = programs;
  std::string names;
  for (const std::string& size : sizes) names += (names.empty() ? "" : ", ") + size;
  app.add_option("--rounds", options.rounds, "how often each run is made; default 5")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--size", options.size, "of the problems: " + names + "; default small")
      ->check(CLI::IsMember(sizes));
  app.add_option("--programs", options.programs, "default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(programs));
  app.add_flag("--no-tsan", options.no_tsan, "leave ThreadSanitizer out");
  app.add_option(
         "--instrument", options.instrument,
         "by what programs are instrumented: hooks, pass; default hooks. Those of pass are the target "
         "bench_programs_pass")
      ->check(CLI::IsMember({"hooks", "pass"}));
  app.add_option("--json", options.json, "write every sample to this file")->type_name("FILE");
  app.add_flag("--smoke", options.smoke, "tiny sizes, one round: only shows that everything runs");
}

void apply_smoke(Options& options) {
  if (!options.smoke) return;
  options.rounds = 1;
  options.size = "tiny";
}

void apply_instrument(const Options& options, std::vector<Column>& columns) {
  for (Column& column : columns) column.instrumented = options.instrument;
}

std::vector<ProgramResults> chosen_programs(const Options& options, std::size_t columns) {
  std::vector<ProgramResults> chosen;
  for (const Program& program : kPrograms) {
    const std::string name(program.name);
    const auto& wanted = options.programs;
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    chosen.push_back({name, size_of(program, options.size), std::vector<Series>(columns)});
  }
  return chosen;
}

OutputFile::OutputFile(const std::string& driver, std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  file_.open(path_);
  if (!file_) throw cli::UsageError(driver + ": The file " + path_ + " cannot be written.");
}

void OutputFile::write(const std::function<void(std::ostream&)>& write) {
  if (path_.empty()) return;
  write(file_);
  file_.close();
  if (!file_) throw cli::EnvironmentError("The file " + path_ + " could not be written to its end.");
}

int exit_code_of(bool right) {
  if (was_interrupted()) {
    std::cerr << "Interrupted: the last round is not complete.\n";
    return kExitInterrupted;
  }
  return right ? cli::kExitSuccess : kExitWrong;
}

int run_driver(const std::string& name, int argc, char** argv,
               const std::function<int(const std::vector<std::string>&)>& drive) {
  try {
    return drive(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const cli::UsageError& error) {
    std::cerr << error.what() << '\n';
    return cli::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return cli::kExitInternal;
  }
}

}  // namespace bench
