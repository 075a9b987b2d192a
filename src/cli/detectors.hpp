// The detectors that this build has, and `anyorder detectors`, which lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "events/detector.hpp"

namespace anyorder::cli {

// What `check` takes if it is not told.
inline constexpr std::string_view kDefaultDetector = "dtrg";
// The one that keeps the computation graph, and accepts every construct.
inline constexpr std::string_view kGraphDetector = "graph";

// In the order of their registration.
[[nodiscard]] std::span<const events::DetectorTraits> known_detectors();
[[nodiscard]] bool is_known_detector(std::string_view name);
// "graph, dtrg": for messages.
[[nodiscard]] std::string names_of_detectors();

// The subcommand; its arguments without its name.
[[nodiscard]] int detectors(std::span<const std::string> arguments);

}  // namespace anyorder::cli
