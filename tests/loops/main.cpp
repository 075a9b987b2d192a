// check_loops <anyorder> <folder> <first seed> <programs> <cases>
//
// Makes random programs of loop nests, has them instrumented by hooks at -O0 and by the pass at several
// levels, and compares the racy bytes that the oracle finds, and those of the default detector. A line for
// each seed that is done: a run that was stopped goes on from the next one. Exit code 0: all agree; 1: not
// so, with the seed and the case on stdout; 2: something could not be tried.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "generate.hpp"

namespace {

// Of each array, the bytes that race.
using RacyBytes = std::map<std::string, std::set<long>>;

struct Build {
  std::string name;
  std::string flags;
};
const Build kHooksBuild{"hooks-O0", "--instrument=hooks -O0"};
const std::vector<Build> kPassBuilds{{"pass-O1", "--instrument=pass -O1"},
                                     {"pass-O2", "--instrument=pass -O2"},
                                     {"pass-O3", "--instrument=pass -O3 -march=native"}};

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

class Trial {
 public:
  Trial(std::string anyorder, std::filesystem::path folder)
      : anyorder_(std::move(anyorder)), folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }

  // The number of disagreements.
  int compare(std::uint64_t seed, int cases) {
    const auto source = folder_ / "loops.cpp";
    std::ofstream(source) << anyorder::loops::program(seed, cases);
    compile(kHooksBuild);
    const RacyBytes expected = racy(kHooksBuild, "graph");
    for (const auto& [array, bytes] : expected) racy_bytes_ += bytes.size();
    int disagreements = 0;
    for (const Build& build : kPassBuilds) {
      compile(build);
      for (const char* const detector : {"graph", "dtrg"}) {
        const RacyBytes found = racy(build, detector);
        for (int i = 0; i < cases; ++i) {
          const auto array = "shared_" + std::to_string(i);
          if (of(expected, array) == of(found, array)) continue;
          ++disagreements;
          std::cout << "seed " << seed << ", " << array << ", " << build.name << ", " << detector
                    << ": racy bytes" << text(of(expected, array)) << " by hooks at -O0, but"
                    << text(of(found, array)) << std::endl;
        }
      }
    }
    return disagreements;
  }
  [[nodiscard]] std::size_t racy_bytes() const { return racy_bytes_; }

 private:
  static std::set<long> of(const RacyBytes& bytes, const std::string& array) {
    const auto found = bytes.find(array);
    return found == bytes.end() ? std::set<long>() : found->second;
  }
  static std::string text(const std::set<long>& bytes) {
    std::string words;
    for (const long byte : bytes) words += " " + std::to_string(byte);
    return bytes.empty() ? " none" : words;
  }

  // With the harness compiled ahead, once for all programs.
  void compile(const Build& build) {
    const auto begin = "ANYORDER_CXX=clang++-19 " + anyorder_ + " c++ -w -g1 " + build.flags + " ";
    const auto ahead = (folder_ / (build.name + ".pch")).string();
    if (harnesses_.insert(build.name).second) {
      must(begin + "-x c++-header " + ANYORDER_LOOPS_FOLDER + "/harness.hpp -o " + ahead);
    }
    must(begin + "-include-pch " + ahead + " " + (folder_ / "loops.cpp").string() + " -o " +
         (folder_ / build.name).string());
  }
  static void must(const std::string& command) {
    if (run(command) != 0) throw std::runtime_error("does not compile: " + command);
  }

  RacyBytes racy(const Build& build, const std::string& detector) {
    const auto json = (folder_ / "report.json").string();
    std::filesystem::remove(json);
    const int code = run(anyorder_ + " check --detector " + detector + " --json " + json + " -- " +
                         (folder_ / build.name).string() + " 2>/dev/null");
    if (code != 0 && code != 66) throw std::runtime_error("check ended with " + std::to_string(code));
    RacyBytes bytes;
    std::ifstream file(json);
    // What else is in a report is much, and need not be kept.
    const auto wanted = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
      if (event == nlohmann::json::parse_event_t::key && depth == 1) {
        return parsed == "races" || parsed == "unsupported";
      }
      if (event == nlohmann::json::parse_event_t::key && depth == 3) {
        return parsed == "symbol" || parsed == "offset" || parsed == "size";
      }
      return true;
    };
    const auto report = nlohmann::json::parse(file, wanted);
    if (!report.at("unsupported").empty()) throw std::runtime_error("not judged: see " + json);
    for (const auto& race : report.at("races")) {
      const std::string symbol = race.value("symbol", "");
      if (!symbol.starts_with("shared_")) continue;
      const long begin = race.at("offset");
      const long size = race.at("size");
      for (long byte = begin; byte < begin + size; ++byte) bytes[symbol].insert(byte);
    }
    return bytes;
  }

  std::string anyorder_;
  std::filesystem::path folder_;
  std::set<std::string> harnesses_;  // the builds for which there is one
  std::size_t racy_bytes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 5) {
    std::cerr << "usage: check_loops <anyorder> <folder> <first seed> <programs> <cases of each>\n";
    return 2;
  }
  try {
    Trial trial(arguments[0], arguments[1]);
    const auto first = std::stoull(arguments[2]);
    const int cases = std::stoi(arguments[4]);
    int disagreements = 0;
    for (std::uint64_t seed = first; seed < first + std::stoull(arguments[3]); ++seed) {
      disagreements += trial.compare(seed, cases);
      std::cout << "seed " << seed << " done, " << disagreements << " disagreements" << std::endl;
    }
    std::cout << "loop nests: " << std::stoi(arguments[3]) * cases << " cases, " << trial.racy_bytes()
              << " racy bytes, " << disagreements << " disagreements\n";
    if (trial.racy_bytes() == 0) throw std::runtime_error("no case races: the test shows nothing");
    return disagreements == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "check_loops: " << error.what() << '\n';
    return 2;
  }
}
