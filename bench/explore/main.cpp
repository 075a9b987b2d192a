// bench_explore: the programs of the model checking paper under ao::explore, beside what the paper measured.
//
// Ends with 1 if a verdict or a result is wrong. --json FILE writes the table for machines.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <anyorder/explore.hpp>

#include "programs.hpp"

namespace {

namespace ao = anyorder;
using bench::explore::Program;

struct Measured {
  ao::exploration found;
  double seconds = 0;
  bool as_expected = false;
};

Measured measured(const Program& program) {
  Measured result;
  const auto begin = std::chrono::steady_clock::now();
  result.found = ao::explore(program.run);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto wanted = program.races ? ao::exploration::verdict::race : ao::exploration::verdict::proved;
  result.as_expected = result.found.answer == wanted && (program.races || program.right());
  return result;
}

const char* race_of(const ao::exploration& found) {
  switch (found.answer) {
    case ao::exploration::verdict::proved:
      return "N";
    case ao::exploration::verdict::race:
      return "Y";
    default:
      return "?";
  }
}

std::uint64_t number_in(const char* text) {
  std::uint64_t number = 0;
  for (; *text != '\0'; ++text) {
    if (*text >= '0' && *text <= '9') number = number * 10 + static_cast<std::uint64_t>(*text - '0');
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json_path = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      json_path = argv[++i];
    } else if (std::strcmp(argv[i], "--smoke") != 0) {
      std::fprintf(stderr, "usage: bench_explore [--smoke] [--json FILE]\n");
      return 64;
    }
  }

  std::printf("%-27s %5s | %6s %6s %8s %4s | %-24s | %-24s | %s\n", "", "", "ours", "", "", "",
              "computation graphs", "permission regions", "PreciseRaceDetector");
  std::printf("%-27s %5s | %6s %6s %8s %4s | %9s %7s %5s  | %9s %7s %5s  | %9s %7s %5s\n", "program", "tasks",
              "orders", "states", "seconds", "race", "states", "time", "race", "states", "time", "race",
              "states", "time", "race");
  bool all_as_expected = true;
  double seconds = 0;
  std::vector<std::string> reasons;
  std::string rows;
  for (const Program& program : bench::explore::programs()) {
    const Measured ours = measured(program);
    seconds += ours.seconds;
    all_as_expected = all_as_expected && ours.as_expected;
    const bench::explore::Column& graphs = program.graphs;
    const bench::explore::Column& permissions = program.permissions;
    const bench::explore::Column& precise = program.precise;
    std::printf("%-27s %5d | %6llu %6llu %8.3f %4s | %9s %7s %5s  | %9s %7s %5s  | %9s %7s %5s\n",
                program.name, program.tasks, static_cast<unsigned long long>(ours.found.orders),
                static_cast<unsigned long long>(ours.found.states), ours.seconds, race_of(ours.found),
                graphs.states, graphs.time, graphs.race, permissions.states, permissions.time,
                permissions.race, precise.states, precise.time, precise.race);
    if (!ours.as_expected) std::printf("  wrong: %s", ours.found.text.c_str());
    if (ours.found.states > number_in(graphs.states)) {
      reasons.push_back(std::string(program.name) + ": more states than the paper's: " + program.more_states);
    }
    rows += std::string(rows.empty() ? "" : ",\n") + "  {\"program\": \"" + program.name +
            "\", \"tasks\": " + std::to_string(program.tasks) +
            ", \"orders\": " + std::to_string(ours.found.orders) +
            ", \"states\": " + std::to_string(ours.found.states) +
            ", \"seconds\": " + std::to_string(ours.seconds) + ", \"race\": \"" + race_of(ours.found) +
            "\", \"paper_states\": \"" + graphs.states + "\", \"paper_time\": \"" + graphs.time +
            "\", \"paper_race\": \"" + graphs.race + "\"}";
  }
  std::printf("all together: %.2f s\n", seconds);
  for (const std::string& reason : reasons) std::printf("%s\n", reason.c_str());
  if (json_path != nullptr && !(std::ofstream(json_path) << "[\n" << rows << "\n]\n").flush()) {
    std::fprintf(stderr, "bench_explore: %s could not be written\n", json_path);
    return 1;
  }
  return all_as_expected ? 0 : 1;
}
