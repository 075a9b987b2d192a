#include "checked_run.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "record/folder.hpp"
#include "record/reader.hpp"

namespace anyorder::differential {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Ours, without what would change how a run is checked.
std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("ANYORDER_") && !text.starts_with("LD_PRELOAD=")) environment.emplace_back(text);
  }
  environment.insert(environment.end(), settings.begin(), settings.end());
  return environment;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string run_process(const std::vector<std::string>& command, const std::vector<std::string>& settings,
                        const fs::path& output) {
  std::vector<std::string> words = command;
  std::vector<std::string> environment = environment_with(settings);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, words.front().c_str(), &files, nullptr, pointers_to(words).data(),
                                pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error(words.front() + " cannot be started: " + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) {
    return std::string("ended by signal ") + strsignal(WTERMSIG(status)) + "\n" + text_of(output);
  }
  if (WEXITSTATUS(status) != 0) {
    return "ended with exit code " + std::to_string(WEXITSTATUS(status)) + "\n" + text_of(output);
  }
  return {};
}

CheckedRun run_checked(const DetectorChoice& detector, const std::vector<std::string>& command,
                       std::size_t programs) {
  const record::Folder scratch;
  const fs::path records = scratch.path() / "records";
  const fs::path map = scratch.path() / "map";
  fs::create_directory(records);
  std::vector<std::string> words = command;
  words.push_back(map.string());

  CheckedRun result;
  result.exact_with_leaked_handles = detector.exact_with_leaked_handles;
  std::vector<std::string> settings{"LD_PRELOAD=" ANYORDER_VARIANTS "/" + detector.name + "/" ANYORDER_SONAME,
                                    "ANYORDER_RECORD=" + records.string()};
  if (detector.workers != 0) settings.push_back("ANYORDER_WORKERS=" + std::to_string(detector.workers));
  if (detector.perturbation != 0) {
    settings.push_back("ANYORDER_PERTURB=" + std::to_string(detector.perturbation));
  }
  result.failure = run_process(words, settings, scratch.path() / "output");
  if (!result.failure.empty()) return result;
  const std::vector<record::Process> processes = record::read_all(records.string());
  if (processes.size() != 1) {
    result.failure = "left " + std::to_string(processes.size()) + " records";
    return result;
  }
  const record::Process& process = processes.front();
  if (process.ending != record::Ending::complete || !process.instrumented ||
      process.detector != detector.name) {
    result.failure = "left the record of a run that was not checked to its end";
    return result;
  }
  try {
    result.map = read_memory_map(map.string(), programs);
  } catch (const std::exception& error) {
    result.failure = error.what();
    return result;
  }
  for (const findings::RaceGroup& group : process.findings.races) {
    for (const findings::Race& race : group.races) {
      for (std::uint64_t i = 0; i < race.size; ++i) result.racy.insert(race.address + i);
    }
  }
  for (const findings::Unsupported& unsupported : process.findings.unsupported) {
    result.unjudged.push_back(unsupported.construct);
  }
  return result;
}

}  // namespace anyorder::differential
