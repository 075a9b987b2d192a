#include "detect/dtrg/dtrg.hpp"

#include <algorithm>

#include "detect/history/serial_findings.hpp"

namespace anyorder::detect {

template class history::AccessHistory<dtrg::ReachabilityGraph, dtrg::SeveralReaders>;
template class history::SerialDetector<dtrg::ReachabilityGraph, dtrg::SeveralReaders>;

}  // namespace anyorder::detect

namespace anyorder::detect::dtrg {

static_assert(events::Detector<Dtrg>);

void Dtrg::get_ended(events::Slot getter, events::Slot target, events::SourceSite /*at*/) {
  const TaskId future = known_task_in(target);
  // A get that was refused, since it would wait for ever, orders nothing.
  const TaskId task = known_task_in(getter);
  if (!order().runs(future)) order().get(task, future);
  if (task == history::kRoot && future == std::max(over(), TaskId{1})) note_those_over();
  forget_relations();
}

// Each is looked at twice at most if the root gets its futures in the order of their creation.
void Dtrg::note_those_over() {
  TaskId next = std::max(over(), TaskId{1});
  while (next != order().task_count() && order().is_over(next)) ++next;
  note_over(next);
}

std::vector<std::pair<std::string, double>> Dtrg::statistics(std::uint64_t accesses,
                                                             std::uint64_t readers) const {
  const ReachabilityGraph::Queries& queries = order().queries();
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  std::vector<std::pair<std::string, double>> all = {
      {"non_tree_joins", number(order().non_tree_joins())},
      {"average_readers", average_readers(accesses, readers)},
      {"shadow_bytes", number(history().shadow_bytes())},
      {"queries_by_label", number(queries.by_label)},
      {"queries_by_joins", number(queries.visits.count())},
      {"longest_query", number(queries.visits.largest())},
  };
  for (std::size_t row = 0; row < queries.visits.rows(); ++row) {
    all.emplace_back("query_visits/" + support::PowerHistogram::name_of(row), number(queries.visits[row]));
  }
  return all;
}

}  // namespace anyorder::detect::dtrg
