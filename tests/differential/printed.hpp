// A batch of programs as C++: printed, compiled with `anyorder c++`, run with one detector.
#pragma once

#include <string>
#include <vector>

#include "compare.hpp"

namespace anyorder::differential {

// `compiler` as $CXX has it; `flags` are its own. What does not compile is a failure of the run.
[[nodiscard]] BatchRun printed_with(const DetectorChoice& detector, const std::string& compiler,
                                    const std::vector<std::string>& flags);

}  // namespace anyorder::differential
