// How the command ends: its exit codes, and the errors that lead to them.
#pragma once

#include <stdexcept>

#include "support/settings.hpp"

namespace anyorder::cli {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitUsage = support::kUsageExit;
inline constexpr int kExitUnknown = 65;
inline constexpr int kExitFindings = support::kFindingsExit;
inline constexpr int kExitInternal = 70;

// The command was called in a way that cannot work. The message is a sentence that names the fix.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Something around the command does not work: its installation, the disk. The message is a sentence.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace anyorder::cli
