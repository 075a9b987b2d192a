// What a detector has to say when the run is over, as far as it has something to say.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "events/detector.hpp"
#include "findings/verdict.hpp"
#include "record/writer.hpp"

namespace anyorder::binding {

template <events::Detector D>
[[nodiscard]] findings::Coverage coverage_by(D& detector) {
  if constexpr (requires { detector.coverage(); }) {
    return detector.coverage();
  } else {
    return findings::Coverage::all_schedules;
  }
}

template <events::Detector D>
[[nodiscard]] std::vector<std::pair<std::string, double>> statistics_by(D& detector,
                                                                        const record::Writer& writer) {
  if constexpr (requires { detector.statistics(std::uint64_t{0}, std::uint64_t{0}); }) {
    return detector.statistics(writer.accesses(), writer.readers_found());
  } else if constexpr (requires { detector.statistics(); }) {
    return detector.statistics();
  } else {
    return {};
  }
}

// No path, or a detector without a graph: nothing. False: it could not be written.
template <events::Detector D>
[[nodiscard]] bool write_graph_of(D& detector, const std::string& path) {
  if constexpr (requires(std::ostream & out) {
                  detector.write_json(out);
                  detector.write_dot(out);
                }) {
    if (path.empty()) return true;
    std::ofstream out(path);
    if (path.ends_with(".json")) {
      detector.write_json(out);
    } else {
      detector.write_dot(out);
    }
    return static_cast<bool>(out.flush());
  } else {
    return true;
  }
}

}  // namespace anyorder::binding
