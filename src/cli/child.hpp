// Runs the user's program and waits for its end, whatever signals come meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/held_signals.hpp"

namespace anyorder::cli {

struct ChildEnd {
  int exit_code = 0;         // if no signal ended it
  int signal = 0;            // that ended it; 0: none
  bool interrupted = false;  // SIGINT came
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  // of resident memory
};

// What becomes of what the program prints.
enum class Output : std::uint8_t { ours, dropped };

// Starts `program` and returns its process. Throws UsageError if that cannot be done.
[[nodiscard]] int start_child(const std::filesystem::path& program, const std::vector<std::string>& words,
                              const std::vector<std::string>& environment, const HeldSignals& signals,
                              Output output = Output::ours);

// Runs `program` with these words and this environment (NAME=value each); standard streams, working directory
// and process group are ours. A signal that the terminal sends reaches the program by itself; one that is
// sent to us alone is passed on. The second SIGINT kills it. Throws UsageError if the program cannot be
// started.
[[nodiscard]] ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& words,
                                 const std::vector<std::string>& environment, const HeldSignals& signals,
                                 Output output = Output::ours);

}  // namespace anyorder::cli
