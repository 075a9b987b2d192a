// Determinacy races of nested fork-join programs, by labels that each task makes for itself: all schedules of
// the input, from a serial or a parallel run. README.md in this folder has the paper's rules, where this
// deviates from them and why, and the costs.
//
// Contract: as shared_history::ParallelDetector.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detect/offset_span/known_partings.hpp"
#include "detect/offset_span/labels.hpp"
#include "detect/shared_history/parallel_detector.hpp"

namespace anyorder::detect {

extern template class shared_history::AccessHistory<offset_span::Labels,
                                                    shared_history::OutermostLeftAndRight>;
extern template class shared_history::ParallelDetector<offset_span::Labels,
                                                       shared_history::OutermostLeftAndRight>;

}  // namespace anyorder::detect

namespace anyorder::detect::offset_span {

class OffsetSpan final
    : public shared_history::ParallelDetector<Labels, shared_history::OutermostLeftAndRight> {
 public:
  static constexpr events::DetectorTraits kTraits{
      "offset_span", events::Construct::async_finish | events::Construct::fork_join,
      events::Execution::parallel, events::Guarantee::all_schedules_of_this_input};

  // Throws what the shadow throws: no address space, or memory that would share cells. With `memory` only
  // that can be accessed, and nothing is asked about the process: for tests with addresses of their own.
  explicit OffsetSpan(findings::Sink& findings) : ParallelDetector(kTraits, findings) {}
  OffsetSpan(findings::Sink& findings, std::span<const shadow::AddressRange> memory,
             const Labels::Limits& limits = {})
      : ParallelDetector(kTraits, findings, memory, limits) {}

  // By the names of the JSON's "stats".
  [[nodiscard]] std::vector<std::pair<std::string, double>> statistics() const;

  // For tests.
  [[nodiscard]] Labels& labels() { return order(); }
};

}  // namespace anyorder::detect::offset_span
