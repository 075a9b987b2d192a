#include "cli/observed_run.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/child.hpp"
#include "cli/detectors.hpp"
#include "cli/exit_code.hpp"
#include "cli/held_signals.hpp"
#include "cli/installation.hpp"
#include "cli/program_lookup.hpp"
#include "cli/report_file.hpp"
#include "cli/words.hpp"
#include "record/files.hpp"
#include "record/folder.hpp"
#include "record/reader.hpp"
#include "report/suppressions.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {

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

fs::path library_for(const std::string& name) {
  auto variant = this_installation().variant(name);
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

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

namespace {

bool wants_colour() {
  const auto value_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value != nullptr ? value : "");
  };
  return ::isatty(STDERR_FILENO) == 1 && value_of("NO_COLOR").empty() && value_of("TERM") != "dumb";
}

// Of the terminal that stderr is; 0: it is none.
std::size_t width_of_terminal() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void print_text(const report::Report& report, const Observation& options) {
  if (options.quiet && report.verdict == findings::Verdict::clean) return;
  std::ostringstream text;
  report::write_text(text, report, {wants_colour(), options.explain, width_of_terminal()});
  if (options.stats) report::write_statistics(text, report);
  std::cerr << text.str() << std::flush;
}

report::RunFacts facts_of(const Observation& options, const ChildEnd& end) {
  report::RunFacts facts;
  facts.command = options.command;
  facts.detector = options.judge.detector;
  facts.exit_code = end.exit_code;
  facts.signal = end.signal;
  facts.interrupted = end.interrupted;
  facts.seconds = end.seconds;
  facts.peak_bytes = end.peak_bytes;
  facts.joins = options.judge.joins;
  facts.typed = quoted_for_shell(options.command);
  return facts;
}

}  // namespace

std::unique_ptr<record::Folder> folder_for_records() {
  try {
    return std::make_unique<record::Folder>();
  } catch (const std::runtime_error& error) {
    throw EnvironmentError(error.what());
  }
}

namespace {

// Whether a process could not keep the record of one more finding there, or not even begin its own.
bool is_out_of_room(const fs::path& folder) {
  constexpr std::uintmax_t kLeast = sizeof(record::SharedCounters) + (std::uintmax_t{64} << 10U);
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available < kLeast;
}

// One run of the program with a library in the place of libanyorder.
struct ObservedRun {
  std::filesystem::path program;
  std::string library;
  std::string joins;
  Output output;
};
report::Report run_once(const ObservedRun& run, const Observation& observation, const HeldSignals& signals) {
  const auto library = library_for(run.library);
  const auto records = folder_for_records();
  auto settings = observation.settings;
  if (run.output == Output::dropped) settings.clear();  // the first run has written what there is to write
  settings.push_back(std::string(support::kRecord.name) + "=" + records->path().string());
  settings.push_back(std::string(support::kJoins.name) + "=" + run.joins);
  if (observation.explain && run.library == kGraphDetector) {
    settings.push_back(std::string(support::kStacks.name) + "=whole");
  }
  const auto environment = observed_environment(own_environment(), library, settings);
  const auto end = run_child(run.program, observation.command, environment, signals, run.output);
  auto facts = facts_of(observation, end);
  if (!facts.is_joins_only()) facts.detector = run.library;
  facts.out_of_room = is_out_of_room(records->path());
  return report::make_report(record::read_all(records->path()), std::move(facts));
}

// Where a file that stdin is redirected from is read next; nothing if it cannot be read again.
std::optional<off_t> place_in_input() {
  const off_t place = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  return place < 0 ? std::nullopt : std::optional(place);
}

// What a file says that the report is to be held against; nothing if none is named.
template <class T>
std::optional<T> parsed_file(const std::string& path, const std::string& what) {
  if (path.empty()) return std::nullopt;
  const auto fail = [&](const std::string& why) {
    throw UsageError("The " + what + " " + path + " cannot be used: " + why + ".");
  };
  std::error_code error;
  if (fs::is_directory(path, error)) fail("it is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return T::parse(text.str());
  } catch (const std::runtime_error& wrong) {
    fail(wrong.what());
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> observed_environment(std::span<const std::string> inherited,
                                              const std::string& library,
                                              std::span<const std::string> settings) {
  const auto is_of = [](const std::string& entry, std::string_view name) {
    return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
  };
  std::vector<std::string> environment;
  std::string preload = "LD_PRELOAD=" + library;
  for (const auto& entry : inherited) {
    if (is_of(entry, "LD_PRELOAD")) {
      if (const auto before = entry.substr(entry.find('=') + 1); !before.empty()) preload += ":" + before;
      continue;
    }
    bool is_tools = false;
    for (const support::Setting& setting :
         {support::kDetector, support::kJson, support::kRecord, support::kGraph, support::kJoins,
          support::kChannels, support::kSchedule, support::kStacks}) {
      is_tools = is_tools || is_of(entry, setting.name);
    }
    if (!is_tools) environment.push_back(entry);
  }
  environment.push_back(std::move(preload));
  environment.insert(environment.end(), settings.begin(), settings.end());
  return environment;
}

int exit_code_of(const report::Report& report) {
  switch (report.verdict) {
    case findings::Verdict::race:
    case findings::Verdict::deadlock:
      if (report::has_news(report)) return kExitFindings;
      if (!report.findings.unsupported.empty() || report.findings.any_unknown_join(true)) return kExitUnknown;
      break;
    case findings::Verdict::unknown:
      return kExitUnknown;
    case findings::Verdict::clean:
      break;
  }
  // Shells show a signal this way.
  return report.run.signal != 0 ? 128 + report.run.signal : report.run.exit_code;
}

ReportFiles::ReportFiles(const Observation& observation) {
  if (!observation.json.empty()) json.emplace(observation.json);
  if (!observation.sarif.empty()) sarif.emplace(observation.sarif);
}

int observe(const Observation& observation) {
  const auto program = program_for(observation.command.front());
  const auto baseline = parsed_file<report::Baseline>(observation.baseline, "baseline");
  const auto suppressions = parsed_file<report::Suppressions>(observation.suppressions, "suppressions file");
  const HeldSignals signals;
  ReportFiles files(observation);
  const auto input = place_in_input();
  auto report =
      run_once({program, observation.library, observation.judge.joins, Output::ours}, observation, signals);
  const bool needs_graph = observation.explain && observation.library != kGraphDetector;
  if (needs_graph && !report.findings.races.empty() && !report.run.interrupted) {
    if (input) ::lseek(STDIN_FILENO, *input, SEEK_SET);
    report::add_graph_run(report, run_once({program, std::string(kGraphDetector), "off", Output::dropped},
                                           observation, signals));
  }
  if (suppressions) suppressions->apply(report, observation.suppressions);
  if (baseline) report::compare_with(report, *baseline, observation.baseline);
  return publish(report, observation, files);
}

int publish(const report::Report& report, const Observation& observation, ReportFiles& files) {
  print_text(report, observation);
  int code = exit_code_of(report);
  const auto write_to = [&](std::optional<ReportFile>& file, auto writer) {
    if (!file) return;
    try {
      file->write([&](std::ostream& out) { writer(out, report); });
    } catch (const EnvironmentError& error) {
      std::cerr << "anyorder: " << error.what() << '\n';
      if (code != kExitFindings) code = kExitInternal;
    }
  };
  write_to(files.json, report::write_json);
  write_to(files.sarif, report::write_sarif);
  return code;
}

}  // namespace anyorder::cli
