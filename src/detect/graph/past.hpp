// Which steps precede a step: a search backward along the edges, no more.
//
// Contract: not thread-safe; the detector holds its lock around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "detect/graph/computation_graph.hpp"

namespace anyorder::detect::graph {

enum class Along : std::uint8_t {
  structure,  // continue, spawn and join edges: what holds on every schedule
  all_edges,  // and the order of isolated sections in this run
};

// The steps that precede one step of a task. It can be moved on to a later step of that task, or of a child
// created there: what precedes a step precedes all that comes after it.
class Past {
 public:
  explicit Past(Along along) : along_(along) {}

  // Invariant after it: all steps from which a path leads to `step` are in the set, and with each step all
  // that precede it. So the search turns back at steps that are in the set.
  void extend_to(const ComputationGraph& graph, StepId step);
  [[nodiscard]] bool contains(StepId step) const { return step < in_.size() && in_[step]; }
  [[nodiscard]] std::size_t bytes() const { return in_.capacity() / 8; }
  // Whether it can be moved on to that step.
  [[nodiscard]] bool is_before(StepId step) const { return extended_to_ == kNowhere || extended_to_ <= step; }

 private:
  Along along_;
  static constexpr StepId kNowhere = UINT32_MAX;  // no step has that number
  StepId extended_to_ = kNowhere;
  std::vector<bool> in_;  // by step
};

// The pasts of the tasks that run, so that each search starts where the task's last one ended. Only a cache:
// when the sets take more than `limit` bytes all are dropped, and found again by a full search.
class RunningPasts {
 public:
  explicit RunningPasts(const ComputationGraph& graph, std::size_t limit = std::size_t{256} << 20U)
      : graph_(&graph), limit_(limit) {}

  // `step` is the task's current one; `earlier` any other.
  [[nodiscard]] bool precedes(StepId earlier, TaskId task, StepId step, Along along);
  void drop(TaskId task);

 private:
  struct Pasts {
    Past structure{Along::structure};
    Past all_edges{Along::all_edges};

    [[nodiscard]] std::size_t bytes() const { return structure.bytes() + all_edges.bytes(); }
  };
  Pasts& pasts_of(TaskId task);
  const Past& past_of(TaskId task, StepId step, Along along);

  const ComputationGraph* graph_;
  std::size_t limit_;
  std::unordered_map<TaskId, Pasts> pasts_;
  std::size_t bytes_ = 0;  // of all pasts_
};

}  // namespace anyorder::detect::graph
