#include "cli/check.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <unistd.h>

#include "cli/exit_code.hpp"
#include "cli/observed_run.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

namespace fs = std::filesystem;

// The program writes the graph: here it can only be seen whether it will be able to.
std::string graph_target(const std::string& path) {
  if (path.empty()) return {};
  const auto target = fs::absolute(path);
  std::error_code error;
  const auto status = fs::status(target, error);
  const auto fail = [&](const std::string& why) {
    throw UsageError("The graph cannot be written to " + path + ": " + why + ".");
  };
  if (fs::is_directory(status)) fail("it is a directory");
  const auto& written = fs::exists(status) ? target : target.parent_path();
  if (::access(written.c_str(), W_OK) != 0) fail(std::strerror(errno));
  return target.string();
}

}  // namespace

int check(std::span<const std::string> arguments) {
  const auto options = check_options(arguments);
  if (!options) return kExitSuccess;

  Observation observation{*options};
  observation.library = options->detector;
  observation.judge = {options->detector, options->joins};
  observation.baseline = options->baseline;
  observation.suppressions = options->suppressions;
  observation.explain = options->explain;
  observation.stats = options->stats;
  const auto graph = graph_target(options->graph);
  if (!graph.empty()) observation.settings.push_back(std::string(support::kGraph.name) + "=" + graph);

  const int code = observe(observation);
  if (!graph.empty() && !fs::exists(graph)) {
    std::cerr << "anyorder: the program wrote no graph to " << options->graph << '\n';
  }
  return code;
}

}  // namespace anyorder::cli
