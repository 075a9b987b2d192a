// Holds the tool against the marks of a test program.
//
//   check_program <anyorder> <compiler> <program.cpp> <folder> [flag]...   compiles it there and checks it
//   check_program --marks <program.cpp>...                                 only looks at the marks
//
// Also runs the compiled program without the tool, where that has a defined outcome. Exit code 0: all as
// marked; 1: not so, with the difference on stdout; 2: it could not be tried.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "comparison.hpp"
#include "marks.hpp"

namespace {

using anyorder::programs::Marks;
using anyorder::programs::Pairs;
using Settings = std::vector<std::pair<std::string, std::string>>;

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The exit code, or 128 + the signal that ended it.
int run(const std::vector<std::string>& command, const Settings& environment) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    ::_exit(127);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("cannot wait");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A detector of the build, as `anyorder detectors` lists it.
struct Detector {
  std::string name;
  std::vector<std::string> constructs;
  bool runs_in_parallel;
  [[nodiscard]] bool accepts(const std::string& construct) const {
    return std::find(constructs.begin(), constructs.end(), construct) != constructs.end();
  }
};

std::vector<Detector> all_detectors(const std::string& anyorder, const std::filesystem::path& folder) {
  const std::string list = folder / "detectors.json";
  if (run({"sh", "-c", "exec \"$0\" detectors --json > \"$1\"", anyorder, list}, {}) != 0) {
    throw std::runtime_error(anyorder + " does not list its detectors");
  }
  std::vector<Detector> all;
  for (const auto& entry : nlohmann::json::parse(contents_of(list))) {
    all.push_back({entry.at("name"), entry.at("constructs"), entry.at("executor") == "parallel"});
  }
  return all;
}

struct Trial {
  std::string anyorder;
  std::string compiler;
  std::string source;
  std::filesystem::path folder;
  std::vector<std::string> flags;
};

std::vector<std::string> native_failures(const std::string& program, const Marks& marks) {
  std::vector<std::string> failures;
  const auto expect_success = [&](const std::string& how, const Settings& environment) {
    if (const int code = run({program}, environment); code != 0) {
      failures.push_back("without the tool, " + how + ", it ends with " + std::to_string(code));
    }
  };
  expect_success("serially", {{"ANYORDER_EXECUTOR", "serial"}});
  // What a race does in parallel is not defined.
  if (marks.verdict != "race") expect_success("with 4 workers", {{"ANYORDER_WORKERS", "4"}});
  return failures;
}

int check(const Trial& trial) {
  const Marks marks = anyorder::programs::parse_marks(trial.source, contents_of(trial.source));
  std::filesystem::create_directories(trial.folder);
  const std::string program = trial.folder / "program";
  const std::string json = trial.folder / "report.json";
  std::filesystem::remove(program);

  std::vector<std::string> compile{trial.anyorder, "c++"};
  compile.insert(compile.end(), trial.flags.begin(), trial.flags.end());
  compile.insert(compile.end(), {"-g", trial.source, "-o", program});
  if (run(compile, {{"ANYORDER_CXX", trial.compiler}}) != 0) {
    std::cout << trial.source << ": does not compile\n";
    return 2;
  }

  // The oracle reports every pair of lines, the others some pair for every racy location.
  const std::string text = contents_of(trial.source);
  const bool has_futures =
      text.find("async_future") != std::string::npos || text.find("ao::region") != std::string::npos;
  const bool has_isolated = text.find("isolated") != std::string::npos;
  // What such a program does is decided by a schedule, and the marks are for the serial one.
  const bool depends_on_schedule = text.find("// SCHEDULE:") != std::string::npos;
  std::vector<std::string> differences;
  for (const Detector& detector : all_detectors(trial.anyorder, trial.folder)) {
    if (detector.runs_in_parallel && depends_on_schedule) continue;
    std::filesystem::remove(json);
    const int exit_code =
        run({trial.anyorder, "check", "--detector", detector.name, "--json", json, "--", program}, {});
    if (!std::filesystem::exists(json)) {
      std::cout << trial.source << ": check ended with " << exit_code << " and left no report\n";
      return 2;
    }
    const auto report = nlohmann::json::parse(contents_of(json));
    const std::string refused = has_futures && !detector.accepts("futures")     ? "future"
                                : has_isolated && !detector.accepts("isolated") ? "isolated"
                                                                                : "";
    const auto found =
        refused.empty()
            ? anyorder::programs::differences(marks, trial.source, report, exit_code,
                                              detector.name == "graph" ? Pairs::all : Pairs::some)
            : anyorder::programs::differences_if_refused(marks, trial.source, report, exit_code, refused);
    if (detector.name == "graph") {
      for (const std::string& gap : anyorder::programs::gaps(report)) differences.push_back("graph: " + gap);
    }
    for (const std::string& place : anyorder::programs::misplaced(report, trial.source, text)) {
      differences.push_back(detector.name + ": " + place);
    }
    for (const std::string& difference : found) differences.push_back(detector.name + ": " + difference);
  }
  const auto failures = native_failures(program, marks);
  differences.insert(differences.end(), failures.begin(), failures.end());
  if (differences.empty()) return 0;

  std::cout << trial.source << '\n';
  for (const std::string& difference : differences) std::cout << "  " << difference << '\n';
  std::cout << "  the whole report of the last detector: " << json << '\n';
  return 1;
}

int check_marks(const std::vector<std::string>& sources) {
  int bad = 0;
  for (const std::string& source : sources) {
    try {
      static_cast<void>(anyorder::programs::parse_marks(source, contents_of(source)));
    } catch (const anyorder::programs::BadMarks& error) {
      std::cout << error.what() << '\n';
      bad = 1;
    }
  }
  return bad;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() >= 2 && arguments[0] == "--marks") {
      return check_marks({arguments.begin() + 1, arguments.end()});
    }
    if (arguments.size() >= 4) {
      return check(
          {arguments[0], arguments[1], arguments[2], arguments[3], {arguments.begin() + 4, arguments.end()}});
    }
    std::cerr << "usage: check_program <anyorder> <compiler> <program.cpp> <folder> [flag]...\n"
                 "       check_program --marks <program.cpp>...\n";
  } catch (const std::exception& error) {
    std::cerr << "check_program: " << error.what() << '\n';
  }
  return 2;
}
