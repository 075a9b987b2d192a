#include "detect/graph/computation_graph.hpp"

#include <algorithm>
#include <functional>

#include "support/check.hpp"

namespace anyorder::detect::graph {

TaskId ComputationGraph::add_task(const Task& task) {
  ANYORDER_CHECK(tasks_.size() < kNoTask, "too many tasks for the oracle's numbers");
  tasks_.push_back(task);
  first_steps_.push_back(static_cast<StepId>(steps_.size()));  // the next one that is added
  return static_cast<TaskId>(tasks_.size() - 1);
}

StepId ComputationGraph::add_step(TaskId task, SectionId section, events::SourceSite from,
                                  std::span<const Edge> edges, StepBegin begun_by) {
  ANYORDER_CHECK(steps_.size() < UINT32_MAX, "too many steps for the oracle's numbers");
  for (const Edge& edge : edges) {
    ANYORDER_CHECK(edge.from < steps_.size(), "an edge comes from a step that was added before");
    has_order_edges_ |= edge.kind == EdgeKind::order;
  }
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  steps_.push_back({task, section, from, edges_.size(), begun_by});
  return static_cast<StepId>(steps_.size() - 1);
}

SectionId ComputationGraph::add_section(std::span<const void* const> objects) {
  auto& sorted = sections_.emplace_back(objects.begin(), objects.end());
  std::sort(sorted.begin(), sorted.end(), std::less<>());
  return static_cast<SectionId>(sections_.size());
}

std::span<const Edge> ComputationGraph::edges_into(StepId step) const {
  const std::size_t begin = step == 0 ? 0 : steps_[step - 1].edges_end;
  return std::span(edges_).subspan(begin, steps_[step].edges_end - begin);
}

bool ComputationGraph::are_exclusive(StepId a, StepId b) const {
  if (steps_[a].section == kNoSection || steps_[b].section == kNoSection) return false;
  const auto& objects = sections_[steps_[a].section - 1];
  const auto& others = sections_[steps_[b].section - 1];
  if (objects.empty() || others.empty()) return true;
  return std::any_of(objects.begin(), objects.end(), [&](const void* object) {
    return std::binary_search(others.begin(), others.end(), object, std::less<>());
  });
}

}  // namespace anyorder::detect::graph
