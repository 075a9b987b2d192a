// A batch of programs, run by interpret_differential with one detector.
#pragma once

#include <string>

#include "compare.hpp"

namespace anyorder::differential {

[[nodiscard]] BatchRun interpreted_with(const std::string& detector);

}  // namespace anyorder::differential
