#include "detect/graph/past.hpp"

namespace anyorder::detect::graph {

void Past::extend_to(const ComputationGraph& graph, StepId step) {
  if (step == extended_to_) return;
  extended_to_ = step;
  if (in_.size() < step) in_.resize(step);  // edges come from lower numbers
  std::vector<StepId> to_visit{step};
  while (!to_visit.empty()) {
    const StepId visited = to_visit.back();
    to_visit.pop_back();
    for (const Edge& edge : graph.edges_into(visited)) {
      if (edge.kind == EdgeKind::order && along_ == Along::structure) continue;
      if (in_[edge.from]) continue;
      in_[edge.from] = true;
      to_visit.push_back(edge.from);
    }
  }
}

const Past& RunningPasts::past_of(TaskId task, StepId step, Along along) {
  if (bytes_ > limit_) {
    pasts_.clear();
    bytes_ = 0;
  }
  Pasts& pasts = pasts_[task];
  Past& past = along == Along::structure ? pasts.structure : pasts.all_edges;
  const std::size_t before = past.bytes();
  past.extend_to(*graph_, step);
  bytes_ += past.bytes() - before;
  return past;
}

bool RunningPasts::precedes(StepId earlier, TaskId task, StepId step, Along along) {
  return past_of(task, step, along).contains(earlier);
}

void RunningPasts::inherit(TaskId parent, StepId step, TaskId child) {
  past_of(parent, step, Along::structure);
  bytes_ += pasts_.emplace(child, pasts_.at(parent)).first->second.bytes();
}

void RunningPasts::drop(TaskId task) {
  const auto found = pasts_.find(task);
  if (found == pasts_.end()) return;
  bytes_ -= found->second.bytes();
  pasts_.erase(found);
}

}  // namespace anyorder::detect::graph
