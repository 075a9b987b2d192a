// bench_explore_rates: orders per second of a small program, by ao::explore and by `anyorder explore`, in
// turns.
//
// Each is checked for its verdict first. Besides the rate, the processor time of an order is told, that of
// all processes: it depends less on what else the machine does. Ends with 1 if a verdict is wrong; the rates
// decide nothing. --json FILE writes every sample.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <spawn.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <anyorder/explore.hpp>

#include "counter.hpp"

namespace {

namespace ao = anyorder;
using Clock = std::chrono::steady_clock;

struct Sample {
  std::uint64_t orders = 0;  // 0: the verdict is wrong
  double seconds = 0;
  double processor_seconds = 0;

  [[nodiscard]] double rate() const { return static_cast<double>(orders) / seconds; }
  [[nodiscard]] double microseconds() const { return processor_seconds / static_cast<double>(orders) * 1e6; }
};

double processor_seconds(int whose) {
  rusage usage{};
  getrusage(whose, &usage);
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

std::uint64_t states_of(int tasks) { return std::uint64_t{1} << static_cast<unsigned>(tasks); }

Sample in_process(int tasks) {
  Sample sample;
  const double before = processor_seconds(RUSAGE_SELF);
  const auto begin = Clock::now();
  const ao::exploration found = ao::explore([&] { bench::explore::counted_by(tasks); });
  sample.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  sample.processor_seconds = processor_seconds(RUSAGE_SELF) - before;
  if (found.proved() && found.states == states_of(tasks)) sample.orders = found.orders;
  return sample;
}

// The number that a report in JSON has for the key; 0: none.
std::uint64_t number_in(const std::string& json, const std::string& key) {
  const std::size_t at = json.find("\"" + key + "\":");
  return at == std::string::npos ? 0 : std::strtoull(json.c_str() + at + key.size() + 3, nullptr, 10);
}

Sample by_command(int tasks) {
  Sample sample;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return sample;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string count = std::to_string(tasks);
  std::vector<std::string> words{ANYORDER_COMMAND, "explore", "--quiet", "--json", "-", "--",
                                 ANYORDER_COUNTER, count};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const double before = processor_seconds(RUSAGE_CHILDREN);
  const auto begin = Clock::now();
  pid_t command = 0;
  const int failed = posix_spawn(&command, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string json;
  std::array<char, 4096> bytes{};
  for (ssize_t got = 0; failed == 0 && (got = read(ends[0], bytes.data(), bytes.size())) > 0;) {
    json.append(bytes.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 1;
  if (failed == 0) waitpid(command, &status, 0);
  sample.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  // Those that the program's runs were copied from are orphans now, and this process's.
  while (wait(nullptr) > 0) {
  }
  sample.processor_seconds = processor_seconds(RUSAGE_CHILDREN) - before;
  if (status == 0 && number_in(json, "states") == states_of(tasks)) sample.orders = number_in(json, "orders");
  return sample;
}

struct Way {
  const char* name;
  std::function<Sample(int)> measure;
  double wanted;  // orders per second
  std::vector<Sample> samples;
};

double median(std::vector<Sample> samples, double (Sample::*value)() const) {
  std::sort(samples.begin(), samples.end(),
            [&](const Sample& a, const Sample& b) { return (a.*value)() < (b.*value)(); });
  return (samples[samples.size() / 2].*value)();
}

std::string to_json(const Way& way, int tasks) {
  std::string rows;
  for (const Sample& sample : way.samples) {
    rows += std::string(rows.empty() ? "" : ",\n") + "  {\"way\": \"" + way.name +
            "\", \"tasks\": " + std::to_string(tasks) + ", \"orders\": " + std::to_string(sample.orders) +
            ", \"seconds\": " + std::to_string(sample.seconds) +
            ", \"processor_seconds\": " + std::to_string(sample.processor_seconds) + "}";
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json_path = nullptr;
  int tasks = 10;
  int repetitions = 5;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      json_path = argv[++i];
    } else if (std::strcmp(argv[i], "--smoke") == 0) {
      tasks = 5;
      repetitions = 1;
    } else {
      std::fprintf(stderr, "usage: bench_explore_rates [--smoke] [--json FILE]\n");
      return 64;
    }
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  std::array<Way, 2> ways{Way{"ao::explore", in_process, 20'000, {}},
                          Way{"anyorder explore", by_command, 2'000, {}}};
  for (int repetition = 0; repetition != repetitions; ++repetition) {
    for (Way& way : ways) {
      way.samples.push_back(way.measure(tasks));
      if (way.samples.back().orders == 0) {
        std::printf("%s: the verdict is wrong\n", way.name);
        return 1;
      }
    }
  }

  std::printf("%d tasks that increment a counter; the median of %d\n\n", tasks, repetitions);
  std::printf("%-17s %7s %9s %8s %6s  %s\n", "", "orders", "orders/s", "wanted", "",
              "processor time per order");
  for (const Way& way : ways) {
    const double rate = median(way.samples, &Sample::rate);
    std::printf("%-17s %7llu %9.0f %8.0f %6s  %.0f µs\n", way.name,
                static_cast<unsigned long long>(way.samples.front().orders), rate, way.wanted,
                rate >= way.wanted ? "meets" : "misses", median(way.samples, &Sample::microseconds));
  }
  if (json_path != nullptr && !(std::ofstream(json_path) << "[\n"
                                                         << to_json(ways[0], tasks) << ",\n"
                                                         << to_json(ways[1], tasks) << "\n]\n")
                                   .flush()) {
    std::fprintf(stderr, "bench_explore_rates: %s could not be written\n", json_path);
    return 1;
  }
  return 0;
}
