// A batch of programs, run by interpret_differential with one detector.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare.hpp"

namespace anyorder::differential {

[[nodiscard]] BatchRun interpreted_with(const std::string& detector);

// Predicts, runs, compares; by program.
[[nodiscard]] std::vector<std::optional<Disagreement>> check(const std::string& detector,
                                                             std::span<const Program> programs, Flaw flaw);

}  // namespace anyorder::differential
