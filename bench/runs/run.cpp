#include "runs/run.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/installation.hpp"
#include "cli/observed_run.hpp"
#include "record/folder.hpp"
#include "record/reader.hpp"
#include "report/report.hpp"
#include "runs/build_facts.hpp"

namespace bench {
namespace {

namespace cli = anyorder::cli;
namespace record = anyorder::record;
namespace report = anyorder::report;

// Ours without what would change the runs.
std::vector<std::string> environment_of_runs(unsigned workers) {
  // The sleep is for reports of threads that still run at the end; a second after the work.
  std::vector<std::string> environment{"TSAN_OPTIONS=report_bugs=0:atexit_sleep_ms=0"};
  if (workers == 0) {
    environment.emplace_back("ANYORDER_EXECUTOR=serial");
  } else {
    environment.emplace_back("ANYORDER_EXECUTOR=parallel");
    environment.push_back("ANYORDER_WORKERS=" + std::to_string(workers));
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool decides =
        text.starts_with("ANYORDER_") || text.starts_with("TSAN_OPTIONS=") || text.starts_with("LD_PRELOAD=");
    if (!decides) environment.emplace_back(text);
  }
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string all_from(int file) {
  std::string text;
  std::array<char, 4096> piece;
  for (;;) {
    const ssize_t got = ::read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

struct ProcessEnd {
  std::string output;
  int exit_code = 0;
  int signal = 0;  // that ended it; 0: none
};

ProcessEnd run_process(std::vector<std::string> words, std::vector<std::string> environment) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw cli::EnvironmentError("There are no file descriptors left.");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, words.front().c_str(), &actions, nullptr, pointers_to(words).data(),
                                  pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    throw cli::EnvironmentError(words.front() + " cannot be run: " + std::strerror(error) + ".");
  }
  ProcessEnd end;
  end.output = all_from(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

std::string build_of(const Column& column) {
  switch (column.way) {
    case Way::serial:
    case Way::plain:
    case Way::joins:
      return "plain";
    case Way::tsan:
      return "tsan";
    case Way::tbb:
      return "tbb";
    case Way::tbb_tsan:
      return "tbb_tsan";
    case Way::hooks:
    case Way::detector:
      break;
  }
  return column.instrumented;
}

std::string complaint_about(const ProcessEnd& end) {
  if (end.signal != 0) return "Signal " + std::to_string(end.signal) + " ended it.";
  if (end.exit_code != 0) return "It ended with exit code " + std::to_string(end.exit_code) + ".";
  return "It printed no measurement.";
}

}  // namespace

std::string label_of(const Column& column) {
  return column.workers == 0 ? column.name : column.name + "/" + std::to_string(column.workers);
}

std::optional<Sample> sample_in(const std::string& output, const std::string& program, long size) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string head;
    std::string name;
    long measured_size = 0;
    Sample sample{};
    if (words >> head >> name >> measured_size >> sample.seconds >> sample.processor_seconds >>
            sample.peak_bytes &&
        head == "measured" && name == program && measured_size == size && sample.seconds > 0 &&
        sample.processor_seconds > 0 && sample.peak_bytes > 0) {
      return sample;
    }
  }
  return std::nullopt;
}

Outcome run(const std::string& program, long size, const Column& column) {
  const std::string path = std::string(kProgramFolder) + "/" + program + "." + build_of(column);
  std::vector<std::string> words{path, std::to_string(size)};
  if (column.way == Way::serial) words.emplace_back("serial");
  std::vector<std::string> environment = environment_of_runs(column.workers);
  if (column.way == Way::joins) {
    words.emplace_back("futures");
    environment.push_back("ANYORDER_JOINS=" + column.name);
  }
  std::optional<record::Folder> records;
  if (column.way == Way::detector) {
    records.emplace();
    const std::string variant = cli::installation_of(kCommand).variant(column.name).string();
    const std::vector<std::string> settings{"ANYORDER_RECORD=" + records->path().string()};
    environment = cli::observed_environment(environment, variant, settings);
  }

  const ProcessEnd end = run_process(words, std::move(environment));
  Outcome outcome;
  if (end.signal == 0 && end.exit_code == 0) outcome.sample = sample_in(end.output, program, size);
  if (!outcome.sample) outcome.complaint = complaint_about(end);
  if (records) {
    report::RunFacts facts;
    facts.command = words;
    facts.detector = column.name;
    facts.exit_code = end.exit_code;
    facts.signal = end.signal;
    auto seen = report::make_report(anyorder::record::read_all(records->path().string()), facts);
    outcome.counters = seen.counters;
    outcome.statistics = std::move(seen.statistics);
    outcome.verdict = seen.verdict;
  }
  return outcome;
}

}  // namespace bench
