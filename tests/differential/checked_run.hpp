// Runs a program of this folder as `anyorder check` would, with one detector, and reads what it left.
//
// Contract: any thread; runs of several threads do not touch each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "detectors.hpp"
#include "memory_map.hpp"

namespace anyorder::differential {

// What was found in one process that ran a batch of programs.
struct CheckedRun {
  std::string failure;                    // why all below means nothing; empty: it does not
  MemoryMap map;                          // by program
  std::set<std::uintptr_t> racy;          // bytes
  std::vector<std::string> unjudged;      // constructs that the detector could not judge
  bool exact_with_leaked_handles = true;  // as the detector says
};

// Runs a command with these settings (NAME=value) beside our own environment, its output into a file. Why it
// did not end well; empty if it did.
[[nodiscard]] std::string run_process(const std::vector<std::string>& command,
                                      const std::vector<std::string>& settings,
                                      const std::filesystem::path& output);

// Runs `command` and the path at which it is to leave its memory map.
[[nodiscard]] CheckedRun run_checked(const DetectorChoice& detector, const std::vector<std::string>& command,
                                     std::size_t programs);

}  // namespace anyorder::differential
