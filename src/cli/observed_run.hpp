// What `anyorder check`, `anyorder run` and the others that run a program have in common: a program runs with
// another library in the place of libanyorder, and what it records is reported.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/program_options.hpp"
#include "cli/report_file.hpp"
#include "record/folder.hpp"
#include "report/report.hpp"

namespace anyorder::cli {

struct Observation : ProgramOptions {
  std::string baseline{};               // path of an earlier report; empty: none
  std::string suppressions{};           // path of a file that lists races; empty: none
  std::string library{};                // below the folder of libraries: a detector's name, or "run"
  std::vector<std::string> settings{};  // NAME=value each, for the program
  report::Judge judge{};
  bool explain = false;  // whole stacks, and what is missing: by a second run, if the graph was not kept
  bool stats = false;
};

// What the program gets instead of `inherited` (NAME=value each): the library, the settings, and none of the
// tool's own variables but those.
[[nodiscard]] std::vector<std::string> observed_environment(std::span<const std::string> inherited,
                                                            const std::string& library,
                                                            std::span<const std::string> settings);

// That of the command, from the verdict and from how the program ended.
[[nodiscard]] int exit_code_of(const report::Report& report);

// What is needed before the program runs. The first two and the last throw UsageError or EnvironmentError.
[[nodiscard]] std::filesystem::path program_for(const std::string& name);
// The variant of libanyorder in the folder of that name.
[[nodiscard]] std::filesystem::path library_for(const std::string& name);
[[nodiscard]] std::vector<std::string> own_environment();
[[nodiscard]] std::unique_ptr<record::Folder> folder_for_records();

// Where the report is to be written. Throws UsageError if that is not possible.
struct ReportFiles {
  explicit ReportFiles(const Observation& observation);

  std::optional<ReportFile> json;
  std::optional<ReportFile> sarif;
};

// Shows and writes the report; the exit code of the command.
[[nodiscard]] int publish(const report::Report& report, const Observation& observation, ReportFiles& files);

// Runs and reports; the exit code of the command. All that can be known to fail does so before the program
// runs, with UsageError or EnvironmentError.
[[nodiscard]] int observe(const Observation& observation);

}  // namespace anyorder::cli
