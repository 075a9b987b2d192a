// Determinacy races of async and finish, from one serial depth-first run, in constant space per location: all
// schedules of the input. README.md in this folder has the paper's algorithm, where this deviates from it and
// what it costs.
//
// Contract: as history::SerialDetector.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "detect/esp_bags/bags.hpp"
#include "detect/history/serial_detector.hpp"

namespace anyorder::detect {

extern template class history::AccessHistory<esp_bags::Bags, history::OneReader>;
extern template class history::SerialDetector<esp_bags::Bags, history::OneReader>;

}  // namespace anyorder::detect

namespace anyorder::detect::esp_bags {

class EspBags final : public history::SerialDetector<Bags, history::OneReader> {
 public:
  static constexpr events::DetectorTraits kTraits{
      "esp_bags", events::Construct::async_finish | events::Construct::fork_join,
      events::Execution::serial_depth_first, events::Guarantee::all_schedules_of_this_input};

  // Throws what shadow::Shadow throws: no address space, or memory that would share cells.
  explicit EspBags(findings::Sink& findings) : SerialDetector(kTraits, findings) {}

  // A future is not accepted: what has one is unknown.
  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override {
    if (kind == events::TaskKind::future) [[unlikely]]
      tell_not_accepted("future", at);
    SerialDetector::task_created(parent, child, finish, kind, at);
  }

  // `accesses` were made in all; those that did not come here found so many readers.
  [[nodiscard]] std::vector<std::pair<std::string, double>> statistics(std::uint64_t accesses,
                                                                       std::uint64_t readers) const;

  // For tests: what the structure is.
  [[nodiscard]] Bags& bags() { return order(); }
};

}  // namespace anyorder::detect::esp_bags
