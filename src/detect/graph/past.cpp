#include "detect/graph/past.hpp"

#include <utility>

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

RunningPasts::Pasts& RunningPasts::pasts_of(TaskId task) {
  const auto found = pasts_.find(task);
  if (found != pasts_.end()) return found->second;
  // A copy of the parent's at the creation is cheaper than a search from the beginning, and the parent's
  // serves for the next child as well: 30,000 tasks that each read what their parent wrote took 4.2 s without
  // it.
  Pasts pasts;
  const TaskId parent = graph_->tasks()[task].parent;
  if (parent != kNoTask) {
    const StepId spawn = graph_->spawned_by(task);
    Pasts& parents = pasts_[parent];
    if (parents.structure.is_before(spawn) && parents.all_edges.is_before(spawn)) {
      const std::size_t before = parents.bytes();
      parents.structure.extend_to(*graph_, spawn);
      if (graph_->has_order_edges()) parents.all_edges.extend_to(*graph_, spawn);
      bytes_ += parents.bytes() - before;
      pasts = parents;
    }
  }
  bytes_ += pasts.bytes();
  return pasts_.insert_or_assign(task, std::move(pasts)).first->second;
}

const Past& RunningPasts::past_of(TaskId task, StepId step, Along along) {
  if (bytes_ > limit_) {
    pasts_.clear();
    bytes_ = 0;
  }
  Pasts& pasts = pasts_of(task);
  Past& past = along == Along::structure ? pasts.structure : pasts.all_edges;
  const std::size_t before = past.bytes();
  past.extend_to(*graph_, step);
  bytes_ += past.bytes() - before;
  return past;
}

bool RunningPasts::precedes(StepId earlier, TaskId task, StepId step, Along along) {
  // Most often it is an ancestor's step, from before it created the next one on the way here.
  constexpr int kGenerations = 16;
  const TaskId owner = graph_->steps()[earlier].task;
  TaskId at = task;
  for (int i = 0; i < kGenerations && graph_->tasks()[at].parent != kNoTask; ++i) {
    const StepId spawn = graph_->spawned_by(at);
    at = graph_->tasks()[at].parent;
    if (at == owner && earlier <= spawn) return true;
  }
  return past_of(task, step, along).contains(earlier);
}

void RunningPasts::drop(TaskId task) {
  const auto found = pasts_.find(task);
  if (found == pasts_.end()) return;
  bytes_ -= found->second.bytes();
  pasts_.erase(found);
}

}  // namespace anyorder::detect::graph
