// The detectors of this build, as their registration has them, and which programs each can be asked about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "events/detector.hpp"
#include "generate.hpp"
#include "model.hpp"

namespace anyorder::differential {

struct DetectorChoice {
  std::string name;
  events::Constructs accepts;
  bool exact_with_leaked_handles;
  bool runs_in_parallel;
  unsigned workers = 0;            // if it does: so many; 0: as the machine has
  std::uint64_t perturbation = 0;  // and its order is perturbed by this seed; 0: not
};

[[nodiscard]] const std::vector<DetectorChoice>& registered_detectors();

// One of them. Throws std::out_of_range.
[[nodiscard]] const DetectorChoice& detector_named(std::string_view name);
// The name, and with how many workers it runs.
[[nodiscard]] std::string title_of(const DetectorChoice& detector);
[[nodiscard]] bool accepts(const DetectorChoice& detector, Family family);
[[nodiscard]] bool accepts(const DetectorChoice& detector, const Prediction& program);

}  // namespace anyorder::differential
