// The detectors of this build, as their registration has them, and which programs each can be asked about.
#pragma once

#include <string>
#include <vector>

#include "events/detector.hpp"
#include "generate.hpp"
#include "model.hpp"

namespace anyorder::differential {

struct DetectorChoice {
  std::string name;
  events::Constructs accepts;
  bool exact_with_leaked_handles;
};

[[nodiscard]] const std::vector<DetectorChoice>& registered_detectors();

[[nodiscard]] bool exact_with_leaked_handles(const std::string& detector);
[[nodiscard]] bool accepts(const DetectorChoice& detector, Family family);
[[nodiscard]] bool accepts(const DetectorChoice& detector, const Prediction& program);

}  // namespace anyorder::differential
