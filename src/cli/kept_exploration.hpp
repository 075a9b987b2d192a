// The file of `anyorder explore --resume`: what a search has learnt, and of which program.
//
// Contract: no thread affinity. What was learnt is true of one input only: another command, program or
// environment is refused, and so is a file that something has changed.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "explore/digest.hpp"
#include "explore/state_space.hpp"

namespace anyorder::cli {

// What all runs of one search have in common.
struct ExploredInput {
  std::string command;  // as a shell reads it
  exploring::Digest program;
  exploring::Digest library;                             // that is loaded into it
  std::map<std::string, exploring::Digest> environment;  // by name
};

// Throws UsageError if a file cannot be read.
[[nodiscard]] ExploredInput input_of(const std::vector<std::string>& command,
                                     const std::filesystem::path& program,
                                     const std::filesystem::path& library,
                                     std::span<const std::string> environment);

[[nodiscard]] std::string kept(const ExploredInput& input, const exploring::StateSpace& states);
// Nothing happens if there is no such file. Throws UsageError.
void restore(const std::string& file, const ExploredInput& input, exploring::StateSpace& states);

}  // namespace anyorder::cli
