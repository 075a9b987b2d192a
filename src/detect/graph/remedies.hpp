// Looks for the smallest change that would order two steps of the graph which race, and tries it on the
// graph: the edges that the change adds are put in, and then a path has to lead from the one to the other.
//
// Which changes there are. Let L be the task from which those of both steps come, C its child on the way to
// the first. If some task on the way to the first is waited for already, but not all that it creates, a
// finish inside it is missing. Else, if C is a future and has waited for the first step, a get of it. Else a
// finish around the creation of C, that ends before the other way begins; but not if both ways begin at one
// place, which would make a loop sequential.
//
// None adds a cycle: edges lead from tasks that had ended, in this serial run, to steps that came later.
//
// Contract: reads the graph, which must not change meanwhile. Of a serial depth-first run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "detect/graph/computation_graph.hpp"
#include "findings/remedy.hpp"

namespace anyorder::detect::graph {

struct FoundRemedy {
  findings::RemedyKind kind = findings::RemedyKind::none;
  events::SourceSite created;
  events::SourceSite before;  // no file: the second access
  events::SourceSite inside;  // no file: a root
  findings::LaterJoin later = findings::LaterJoin::end_of_program;
  events::SourceSite later_at;
};

class Remedies {
 public:
  explicit Remedies(const ComputationGraph& graph);

  // `first` was executed before `second`, and they race.
  [[nodiscard]] FoundRemedy find(StepId first, StepId second);

  // Steps that were visited so far: what it cost.
  [[nodiscard]] std::uint64_t visits() const { return visits_; }

 private:
  // Leads from the last steps of tasks.
  struct NewEdges {
    std::vector<TaskId> from;
    StepId to;
  };

  [[nodiscard]] StepId last_step_of(TaskId task) const { return steps_[task].back(); }
  // From the task up; the root is last.
  [[nodiscard]] std::vector<TaskId> way_to(TaskId task) const;
  [[nodiscard]] bool precedes(StepId first, StepId second, const NewEdges* more = nullptr);
  // The tasks that a finish around the creation of `top` would wait for and no finish inside does.
  [[nodiscard]] std::vector<TaskId> open_below(TaskId top) const;
  void find_later_join(FoundRemedy& remedy, StepId first, TaskId common, StepId from);

  const ComputationGraph& graph_;
  std::vector<std::vector<StepId>> steps_;     // by task, in its order
  std::vector<std::vector<TaskId>> children_;  // by task
  std::vector<std::uint32_t> seen_;            // by step: the search that saw it last
  std::vector<StepId> to_visit_;
  std::uint32_t search_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace anyorder::detect::graph
