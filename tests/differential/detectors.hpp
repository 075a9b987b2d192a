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
};

[[nodiscard]] const std::vector<DetectorChoice>& registered_detectors();

[[nodiscard]] bool accepts(const DetectorChoice& detector, Family family);
[[nodiscard]] bool accepts(const DetectorChoice& detector, const Prediction& program);

}  // namespace anyorder::differential
