// The numbers by which the parts of this detector name nodes of the tree and steps.
#pragma once

#include <cstdint>

#include "detect/shared_history/ids.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::spd3 {

// A node of the tree: an async or a finish. 0 is above all roots.
using NodeId = std::uint32_t;
inline constexpr NodeId kTop = 0;
// ThreadSanitizer leaves little address space to a program.
inline constexpr NodeId kMostNodes = NodeId{1} << (ANYORDER_TSAN ? 24U : 31U);

using shared_history::kMostSteps;
using shared_history::kNoStep;
using shared_history::StepId;

}  // namespace anyorder::detect::spd3
