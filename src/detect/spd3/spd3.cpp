#include "detect/spd3/spd3.hpp"

#include "detect/shared_history/parallel_findings.hpp"

namespace anyorder::detect {

template class shared_history::AccessHistory<spd3::Tree, shared_history::OutsideOfBoth>;
template class shared_history::ParallelDetector<spd3::Tree, shared_history::OutsideOfBoth>;

}  // namespace anyorder::detect

namespace anyorder::detect::spd3 {

static_assert(events::TryingDetector<Spd3>);

std::vector<std::pair<std::string, double>> Spd3::statistics() const {
  using shared_history::Cell;
  using shared_history::CellPolicy;
  const Tree::Size size = order().size();
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  return {{"tree_nodes", number(size.nodes)},
          {"steps_kept", number(size.steps)},
          {"tree_bytes", number(size.bytes())},
          {"shadow_bytes", number(shadow_bytes())},
          {"bytes_per_location", number(sizeof(Cell)) / number(CellPolicy::kWordBytes)}};
}

}  // namespace anyorder::detect::spd3
