// The computation graph of a run: its tasks, their steps, the isolated sections, and the edges between steps.
//
// Contract: not thread-safe; the detector holds its lock around it.
//
// Invariants: all edges into a step are known when it is added, and come from steps that were added before
// it. So step numbers are a topological order, and the set of steps that precede a step never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "events/listener.hpp"

namespace anyorder::detect::graph {

using StepId = std::uint32_t;     // in the order of creation, from 0
using TaskId = std::uint32_t;     // likewise
using SectionId = std::uint32_t;  // likewise, from 1
inline constexpr TaskId kNoTask = UINT32_MAX;
inline constexpr SectionId kNoSection = 0;

enum class EdgeKind : std::uint8_t {
  continues,  // to the next step of the same task
  spawn,      // to the first step of a child
  join,       // from the last step of a task to what follows the end of its finish, or a get
  order,      // between isolated sections, as this run happened to order them
};

[[nodiscard]] constexpr std::string_view to_string(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::continues:
      return "continue";
    case EdgeKind::spawn:
      return "spawn";
    case EdgeKind::join:
      return "join";
    case EdgeKind::order:
      return "order";
  }
  return {};
}

[[nodiscard]] constexpr std::string_view to_string(events::TaskKind kind) {
  switch (kind) {
    case events::TaskKind::root:
      return "root";
    case events::TaskKind::async:
      return "async";
    case events::TaskKind::future:
      return "future";
  }
  return {};
}

struct Edge {
  StepId from;
  EdgeKind kind;
};

struct Task {
  events::TaskKind kind;
  TaskId parent;  // kNoTask iff a root
  events::SourceSite created_at;
  TaskId finish_owner = kNoTask;  // of its IEF; kNoTask iff a root
  bool posted = false;            // into a region: a future whose handle nobody else has
};

// What began a step, as far as it waited for other tasks.
enum class StepBegin : std::uint8_t { other, end_of_finish, get };

struct Step {
  TaskId task;
  SectionId section;        // kNoSection iff outside every isolated section
  events::SourceSite from;  // the operation that began it; no file: the beginning of a root
  std::size_t edges_end;    // its edges end there; they begin where those of the step before it end
  StepBegin begun_by = StepBegin::other;
};

class ComputationGraph {
 public:
  // Its first step is the next one that is added.
  TaskId add_task(const Task& task);
  void mark_posted(TaskId task) { tasks_[task].posted = true; }
  StepId add_step(TaskId task, SectionId section, events::SourceSite from, std::span<const Edge> edges,
                  StepBegin begun_by = StepBegin::other);
  StepId add_step(TaskId task, SectionId section, events::SourceSite from,
                  std::initializer_list<Edge> edges) {
    return add_step(task, section, from, std::span(edges.begin(), edges.size()));
  }
  // No objects: it excludes every other section.
  SectionId add_section(std::span<const void* const> objects);

  [[nodiscard]] const std::vector<Task>& tasks() const { return tasks_; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::span<const Edge> edges_into(StepId step) const;
  // The parent's step that created the task, which is no root.
  [[nodiscard]] StepId spawned_by(TaskId task) const { return edges_into(first_steps_[task]).front().from; }
  [[nodiscard]] bool has_order_edges() const { return has_order_edges_; }

  // Both steps are in isolated sections, and these exclude each other.
  [[nodiscard]] bool are_exclusive(StepId a, StepId b) const;

 private:
  std::vector<Task> tasks_;
  std::vector<Step> steps_;
  std::vector<StepId> first_steps_;                 // by task
  std::vector<Edge> edges_;                         // by the step that they lead to
  std::vector<std::vector<const void*>> sections_;  // the objects of section i + 1, sorted
  bool has_order_edges_ = false;
};

}  // namespace anyorder::detect::graph
