// Makes a program on which a detector disagrees as small as it gets.
#pragma once

#include <functional>
#include <vector>

#include "program.hpp"

namespace anyorder::differential {

// Which of the programs still disagree. Asked for many at once, since a process runs a batch of them.
using StillDisagree = std::function<std::vector<bool>(const std::vector<Program>&)>;

// A program from which no statement can be deleted, and none made simpler, so that the disagreement stays.
[[nodiscard]] Program shrink(Program program, const StillDisagree& still_disagree);

}  // namespace anyorder::differential
