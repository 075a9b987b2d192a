// Determinacy races of async/finish programs, found while they run in parallel: all schedules of the input.
// README.md in this folder has the paper's algorithms, where this deviates from them and why, and the costs.
//
// Contract: as shared_history::ParallelDetector.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detect/shared_history/parallel_detector.hpp"
#include "detect/spd3/known_branchings.hpp"
#include "detect/spd3/tree.hpp"

namespace anyorder::detect {

extern template class shared_history::AccessHistory<spd3::Tree, shared_history::OutsideOfBoth>;
extern template class shared_history::ParallelDetector<spd3::Tree, shared_history::OutsideOfBoth>;

}  // namespace anyorder::detect

namespace anyorder::detect::spd3 {

class Spd3 final : public shared_history::ParallelDetector<Tree, shared_history::OutsideOfBoth> {
 public:
  static constexpr events::DetectorTraits kTraits{
      "spd3", events::Construct::async_finish | events::Construct::fork_join, events::Execution::parallel,
      events::Guarantee::all_schedules_of_this_input};

  // Throws what the shadow throws: no address space, or memory that would share cells. With `memory` only
  // that can be accessed, and nothing is asked about the process: for tests with addresses of their own.
  explicit Spd3(findings::Sink& findings) : ParallelDetector(kTraits, findings) {}
  Spd3(findings::Sink& findings, std::span<const shadow::AddressRange> memory)
      : ParallelDetector(kTraits, findings, memory) {}

  // By the names of the JSON's "stats".
  [[nodiscard]] std::vector<std::pair<std::string, double>> statistics() const;

  // As in Access::task.
  [[nodiscard]] static std::uint64_t number_of(const void* state) { return Tree::task_in(state); }

  // For tests.
  [[nodiscard]] Tree& tree() { return order(); }
};

}  // namespace anyorder::detect::spd3
