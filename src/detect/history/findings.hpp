// The findings that all detectors word alike, and parts of them.
#pragma once

#include <string>

#include "events/listener.hpp"
#include "findings/source.hpp"
#include "findings/unsupported.hpp"

namespace anyorder::detect::history {

[[nodiscard]] inline findings::Frame frame_of(events::SourceSite at) {
  return {0, {at.file, at.line, 0, at.function}};
}

[[nodiscard]] inline findings::Unsupported not_accepted(const char* detector, const char* construct,
                                                        events::SourceSite at) {
  return {construct, std::string("The detector ") + detector + " does not accept this construct.",
          findings::Trace({frame_of(at)})};
}

// Two addresses have one cell.
[[nodiscard]] inline findings::Unsupported shared_cells(
    const std::string& why = "Memory that the program mapped shares shadow memory with other memory.") {
  return {"memory layout", why, {}};
}

}  // namespace anyorder::detect::history
