// A batch of programs, run by interpret_differential with one detector.
#pragma once

#include "compare.hpp"

namespace anyorder::differential {

[[nodiscard]] BatchRun interpreted_with(const DetectorChoice& detector);

}  // namespace anyorder::differential
