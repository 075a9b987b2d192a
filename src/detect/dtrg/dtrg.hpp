// Determinacy races with futures, from one serial depth-first run: all schedules of the input. README.md in
// this folder has the paper's algorithms, where this deviates from them and why, and what it costs.
//
// Contract: as history::SerialDetector.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "detect/dtrg/reachability_graph.hpp"
#include "detect/dtrg/several_readers.hpp"
#include "detect/history/serial_detector.hpp"

namespace anyorder::detect {

extern template class history::AccessHistory<dtrg::ReachabilityGraph, dtrg::SeveralReaders>;
extern template class history::SerialDetector<dtrg::ReachabilityGraph, dtrg::SeveralReaders>;

}  // namespace anyorder::detect

namespace anyorder::detect::dtrg {

class Dtrg final : public history::SerialDetector<ReachabilityGraph, SeveralReaders> {
 public:
  static constexpr events::DetectorTraits kTraits{
      "dtrg", events::Construct::async_finish | events::Construct::fork_join | events::Construct::futures,
      events::Execution::serial_depth_first, events::Guarantee::all_schedules_of_this_input, false};

  // Throws what shadow::Shadow throws: no address space, or memory that would share cells.
  explicit Dtrg(findings::Sink& findings) : SerialDetector(kTraits, findings) {}

  void get_ended(events::Slot getter, events::Slot target, events::SourceSite at) override;

  // `accesses` were made in all; those that did not come here found so many readers.
  [[nodiscard]] std::vector<std::pair<std::string, double>> statistics(std::uint64_t accesses,
                                                                       std::uint64_t readers) const;

  // For tests: what the structure is.
  [[nodiscard]] ReachabilityGraph& graph() { return order(); }

 private:
  void note_those_over();
};

}  // namespace anyorder::detect::dtrg
