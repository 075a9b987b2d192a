#include "cli/check.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <unistd.h>

#include "cli/child.hpp"
#include "cli/exit_code.hpp"
#include "cli/held_signals.hpp"
#include "cli/installation.hpp"
#include "cli/program_lookup.hpp"
#include "cli/report_file.hpp"
#include "record/folder.hpp"
#include "record/reader.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

namespace fs = std::filesystem;

fs::path program_for(const std::string& name) {
  const auto program = find_program(name);
  switch (program.lookup) {
    case Lookup::found:
      return program.path;
    case Lookup::directory:
      throw UsageError(name + " is a directory, not a program: name the executable in it.");
    case Lookup::not_executable:
      throw UsageError(program.path.string() +
                       " is not executable: is it the program that was built? (chmod +x " +
                       "makes a script executable)");
    case Lookup::missing:
      break;
  }
  const bool is_path = name.find('/') != std::string::npos;
  throw UsageError("There is no program " + name + (is_path ? "" : " in PATH") + ": was it built" +
                   (!is_path && fs::exists(name) ? ", or is ./" + name + " meant?" : "?"));
}

fs::path variant_for(const std::string& detector) {
  auto variant = this_installation().variant(detector);
  std::error_code error;
  if (!fs::exists(variant, error)) {
    throw EnvironmentError("The library " + variant.string() +
                           " is missing: install anyorder again, as a shared " +
                           "library (BUILD_SHARED_LIBS=ON).");
  }
  // The loader splits LD_PRELOAD there, and has no way to quote.
  if (variant.string().find_first_of(": ") != std::string::npos) {
    throw EnvironmentError("The loader cannot preload " + variant.string() +
                           ": install anyorder below a folder " + "without spaces and colons in its name.");
  }
  return variant;
}

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

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

bool wants_colour() {
  const auto value_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value != nullptr ? value : "");
  };
  return ::isatty(STDERR_FILENO) == 1 && value_of("NO_COLOR").empty() && value_of("TERM") != "dumb";
}

void print_text(const report::Report& report, const CheckOptions& options) {
  if (options.quiet && report.verdict == findings::Verdict::clean) return;
  std::ostringstream text;
  report::write_text(text, report, {wants_colour()});
  if (options.stats) report::write_statistics(text, report);
  std::cerr << text.str() << std::flush;
}

report::RunFacts facts_of(const CheckOptions& options, const ChildEnd& end) {
  report::RunFacts facts;
  facts.command = options.command;
  facts.detector = options.detector;
  facts.exit_code = end.exit_code;
  facts.signal = end.signal;
  facts.interrupted = end.interrupted;
  facts.seconds = end.seconds;
  facts.peak_bytes = end.peak_bytes;
  return facts;
}

std::unique_ptr<record::Folder> folder_for_records() {
  try {
    return std::make_unique<record::Folder>();
  } catch (const std::runtime_error& error) {
    throw EnvironmentError(error.what());
  }
}

}  // namespace

std::vector<std::string> checked_environment(std::span<const std::string> inherited,
                                             const std::string& variant, const std::string& records,
                                             const std::string& graph) {
  const auto begins_with = [](const std::string& entry, std::string_view name) {
    return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
  };
  std::vector<std::string> environment;
  std::string preload = "LD_PRELOAD=" + variant;
  for (const auto& entry : inherited) {
    if (begins_with(entry, "LD_PRELOAD")) {
      if (const auto before = entry.substr(entry.find('=') + 1); !before.empty()) preload += ":" + before;
    } else if (!begins_with(entry, support::kDetector.name) && !begins_with(entry, support::kJson.name) &&
               !begins_with(entry, support::kRecord.name) && !begins_with(entry, support::kGraph.name)) {
      environment.push_back(entry);
    }
  }
  environment.push_back(std::move(preload));
  environment.push_back(std::string(support::kRecord.name) + "=" + records);
  if (!graph.empty()) environment.push_back(std::string(support::kGraph.name) + "=" + graph);
  return environment;
}

int exit_code_of(const report::Report& report) {
  switch (report.verdict) {
    case findings::Verdict::race:
    case findings::Verdict::deadlock:
      return kExitFindings;
    case findings::Verdict::unknown:
      return kExitUnknown;
    case findings::Verdict::clean:
      break;
  }
  // Shells show a signal this way.
  return report.run.signal != 0 ? 128 + report.run.signal : report.run.exit_code;
}

int check(std::span<const std::string> arguments) {
  const auto options = check_options(arguments);
  if (!options) return kExitSuccess;

  // All that can be known to fail does so before the program runs.
  const auto program = program_for(options->command.front());
  const auto graph = graph_target(options->graph);
  const HeldSignals signals;
  std::optional<ReportFile> json;
  if (!options->json.empty()) json.emplace(options->json);
  const auto variant = variant_for(options->detector);
  const auto records = folder_for_records();

  const auto environment = checked_environment(own_environment(), variant, records->path(), graph);
  const auto end = run_child(program, options->command, environment, signals);
  const auto report = report::make_report(record::read_all(records->path()), facts_of(*options, end));
  print_text(report, *options);
  int code = exit_code_of(report);
  if (!graph.empty() && !fs::exists(graph)) {
    std::cerr << "anyorder: the program wrote no graph to " << options->graph << '\n';
  }
  if (json) {
    try {
      std::ostringstream text;
      report::write_json(text, report);
      json->write(text.str());
    } catch (const EnvironmentError& error) {
      std::cerr << "anyorder: " << error.what() << '\n';
      if (code != kExitFindings) code = kExitInternal;
    }
  }
  return code;
}

}  // namespace anyorder::cli
