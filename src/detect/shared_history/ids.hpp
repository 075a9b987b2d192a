// The numbers by which cells name steps and places in the code.
#pragma once

#include <cstdint>

#include "detect/history/ids.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::shared_history {

// A step that is kept. 0: nobody.
using StepId = std::uint32_t;
inline constexpr StepId kNoStep = 0;
// ThreadSanitizer leaves little address space to a program.
inline constexpr StepId kMostSteps = ANYORDER_TSAN ? StepId{1} << 24U : 0xffff'ff00U;

// The front end's number of a place in the code, or one of history/byte_sites.hpp for a place per byte. 0:
// not known, as are those of the front end that are too high.
using PlaceId = std::uint32_t;
inline constexpr PlaceId kNoPlace = 0;
inline constexpr PlaceId kMostPlaces = history::kMostPlainSites;
inline constexpr unsigned kPlaceBits = 23;  // in a cell
static_assert(history::kMostSites <= PlaceId{1} << kPlaceBits);

// A task, in findings and among reference counts. 0: nobody.
using TaskNumber = std::uint32_t;

}  // namespace anyorder::detect::shared_history
