// fuzz_differential: random programs, run for real with every detector, compared with the model byte by byte.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "campaign.hpp"
#include "print.hpp"
#include "text.hpp"

namespace anyorder::differential {
namespace {

constexpr int kExitUsage = 64;
constexpr int kExitInternal = 70;

std::vector<DetectorChoice> chosen(const std::vector<std::string>& names,
                                   const std::vector<unsigned>& workers) {
  std::vector<DetectorChoice> all;
  for (const DetectorChoice& detector : registered_detectors()) {
    if (names.empty() || std::find(names.begin(), names.end(), detector.name) != names.end()) {
      if (!detector.runs_in_parallel) all.push_back(detector);
      for (const unsigned count : detector.runs_in_parallel ? workers : std::vector<unsigned>{}) {
        all.push_back(detector);
        all.back().workers = count;
      }
    }
  }
  return all;
}

int run(int argc, char** argv) {
  CampaignOptions options;
  std::vector<std::string> detectors;
  std::vector<std::string> families;
  std::vector<unsigned> workers{1, 2, 4, 8};
  std::string flaw;
  std::vector<std::string> replay;
  std::vector<std::string> names;
  for (const DetectorChoice& detector : registered_detectors()) names.push_back(detector.name);
  std::vector<std::string> family_names;
  for (const auto& [family, name] : kFamilies) family_names.emplace_back(name);
  std::vector<std::string> flaw_names;
  for (const auto& [value, name] : kFlaws) flaw_names.emplace_back(name);

  CLI::App app("Random programs, run with every detector and compared with a model, byte by byte.",
               "fuzz_differential");
  app.add_option("--programs", options.programs, "per detector and family")->capture_default_str();
  app.add_option("--seed", options.seed, "of the first program")->capture_default_str();
  app.add_option("--detectors", detectors, "all by default")->delimiter(',')->check(CLI::IsMember(names));
  app.add_option("--family", families, "all by default")->delimiter(',')->check(CLI::IsMember(family_names));
  app.add_option("--workers", workers, "of runs in parallel; each of them")
      ->delimiter(',')
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "processes at once; 0: one per core")->capture_default_str();
  app.add_option("--batch", options.batch, "programs per process")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--keep", options.keep, "folder for what disagrees")->capture_default_str();
  app.add_option("--most", options.most, "stop after so many disagreements")->capture_default_str();
  app.add_option("--wrong-model", flaw, "break the model in this way, to see what is found")
      ->check(CLI::IsMember(flaw_names));
  bool as_text = false;
  bool as_cpp = false;
  app.add_flag("--text", as_text, "print the programs and run nothing");
  app.add_flag("--cpp", as_cpp, "print the programs as C++ and run nothing");
  app.add_option("--compile", options.compiler,
                 "print and compile them with this compiler, do not interpret");
  app.add_option("--flags", options.flags, "of that compiler")->delimiter(',');
  app.add_option("--replay", replay, "check the programs of these files instead of random ones")
      ->check(CLI::ExistingFile);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  options.detectors = chosen(detectors, workers);
  for (const auto& [family, name] : kFamilies) {
    if (families.empty() || std::find(families.begin(), families.end(), name) != families.end()) {
      options.families.push_back(family);
    }
  }
  for (const auto& [value, name] : kFlaws) {
    if (name == flaw) options.flaw = value;
  }
  if (!replay.empty()) {
    for (const std::string& path : replay) {
      for (Program& program : read_programs_from(path)) options.replay.push_back(std::move(program));
    }
  }
  if (as_text || as_cpp) {
    std::vector<Program> programs = options.replay;
    for (const Family family : replay.empty() ? options.families : std::vector<Family>{}) {
      for (std::size_t i = 0; i < options.programs; ++i)
        programs.push_back(generate(family, options.seed + i));
    }
    if (as_cpp) std::cout << to_cpp(programs);
    for (const Program& program : as_text ? programs : std::vector<Program>{}) std::cout << to_text(program);
    return 0;
  }
  return run_campaign(options) ? 0 : 1;
}

}  // namespace
}  // namespace anyorder::differential

int main(int argc, char** argv) {
  try {
    return anyorder::differential::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "fuzz_differential: " << error.what() << '\n';
    return anyorder::differential::kExitInternal;
  }
}
