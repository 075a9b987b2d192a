#include "detect/offset_span/offset_span.hpp"

#include "detect/shared_history/parallel_findings.hpp"

namespace anyorder::detect {

template class shared_history::AccessHistory<offset_span::Labels, shared_history::OutermostLeftAndRight>;
template class shared_history::ParallelDetector<offset_span::Labels, shared_history::OutermostLeftAndRight>;

}  // namespace anyorder::detect

namespace anyorder::detect::offset_span {

static_assert(events::TryingDetector<OffsetSpan>);

std::vector<std::pair<std::string, double>> OffsetSpan::statistics() const {
  using shared_history::Cell;
  using shared_history::CellPolicy;
  const Labels::Size size = order().size();
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  return {{"label_pairs", number(size.pairs)},
          {"labels_kept", number(size.steps)},
          {"label_bytes", number(size.bytes)},
          {"shadow_bytes", number(shadow_bytes())},
          {"bytes_per_location", number(sizeof(Cell)) / number(CellPolicy::kWordBytes)}};
}

}  // namespace anyorder::detect::offset_span
