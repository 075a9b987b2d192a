#include "detect/graph/remedies.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "support/check.hpp"

namespace anyorder::detect::graph {
namespace {

bool same_place(const events::SourceSite& a, const events::SourceSite& b) {
  return a.line == b.line && std::strcmp(a.file, b.file) == 0;
}

}  // namespace

Remedies::Remedies(const ComputationGraph& graph)
    : graph_(graph),
      steps_(graph.tasks().size()),
      children_(graph.tasks().size()),
      seen_(graph.steps().size()) {
  for (StepId step = 0; step < graph.steps().size(); ++step) steps_[graph.steps()[step].task].push_back(step);
  for (TaskId task = 0; task < graph.tasks().size(); ++task) {
    const TaskId parent = graph.tasks()[task].parent;
    if (parent != kNoTask) children_[parent].push_back(task);
  }
}

std::vector<TaskId> Remedies::way_to(TaskId task) const {
  std::vector<TaskId> way;
  for (TaskId at = task; at != kNoTask; at = graph_.tasks()[at].parent) way.push_back(at);
  return way;
}

bool Remedies::precedes(StepId first, StepId second, const NewEdges* more) {
  ++search_;
  to_visit_.assign(1, second);
  const auto reach = [&](StepId step) {
    if (seen_[step] == search_) return;
    seen_[step] = search_;
    to_visit_.push_back(step);
  };
  while (!to_visit_.empty()) {
    const StepId visited = to_visit_.back();
    to_visit_.pop_back();
    ++visits_;
    if (visited == first) return true;
    for (const Edge& edge : graph_.edges_into(visited)) {
      if (edge.kind != EdgeKind::order) reach(edge.from);
    }
    if (more != nullptr && visited == more->to) {
      for (const TaskId task : more->from) reach(last_step_of(task));
    }
  }
  return false;
}

std::vector<TaskId> Remedies::open_below(TaskId top) const {
  std::vector<TaskId> open;
  const std::vector<TaskId> above = way_to(graph_.tasks()[top].parent);
  std::vector<TaskId> pending{top};
  while (!pending.empty()) {
    const TaskId task = pending.back();
    pending.pop_back();
    pending.insert(pending.end(), children_[task].begin(), children_[task].end());
    const TaskId owner = graph_.tasks()[task].finish_owner;
    if (std::find(above.begin(), above.end(), owner) != above.end()) open.push_back(task);
  }
  return open;
}

// Along the steps of one task, what precedes only grows.
void Remedies::find_later_join(FoundRemedy& remedy, StepId first, TaskId common, StepId from) {
  const std::vector<StepId>& steps = steps_[common];
  const auto joined = std::partition_point(std::upper_bound(steps.begin(), steps.end(), from), steps.end(),
                                           [&](StepId step) { return !precedes(first, step); });
  if (joined == steps.end()) return;
  const Step& step = graph_.steps()[*joined];
  if (step.from.file[0] == '\0' || step.begun_by == StepBegin::other) return;
  remedy.later =
      step.begun_by == StepBegin::get ? findings::LaterJoin::get : findings::LaterJoin::end_of_finish;
  remedy.later_at = step.from;
}

FoundRemedy Remedies::find(StepId first, StepId second) {
  const std::vector<TaskId> way = way_to(graph_.steps()[first].task);
  const std::vector<TaskId> other_way = way_to(graph_.steps()[second].task);
  const auto common = std::find_first_of(way.begin(), way.end(), other_way.begin(), other_way.end());
  FoundRemedy remedy;
  // Tasks of several roots come from none; and what a task does before it creates another one is in order.
  if (common == way.end() || common == way.begin()) return remedy;
  const TaskId child = *std::prev(common);
  const auto in_other = std::find(other_way.begin(), other_way.end(), *common);
  const bool goes_on = in_other == other_way.begin();
  const StepId parted = goes_on ? second : graph_.spawned_by(*std::prev(in_other));
  find_later_join(remedy, first, *common, parted);

  // The nearest task on the way that is waited for, though not with all that it created.
  const auto joined =
      std::find_if(way.begin(), common, [&](TaskId task) { return precedes(last_step_of(task), second); });
  if (joined != common && joined != way.begin()) {
    const TaskId missed = *std::prev(joined);
    const NewEdges more{open_below(missed), last_step_of(*joined)};
    if (precedes(first, second, &more)) {
      remedy.kind = findings::RemedyKind::finish_inside;
      remedy.created = graph_.tasks()[missed].created_at;
      remedy.inside = graph_.tasks()[*joined].created_at;
      return remedy;
    }
  }
  const Task& waited_for = graph_.tasks()[child];
  remedy.created = waited_for.created_at;
  if (waited_for.kind == events::TaskKind::future && !waited_for.posted) {
    const NewEdges more{{child}, second};
    if (precedes(first, second, &more)) {
      remedy.kind = findings::RemedyKind::get;
      return remedy;
    }
  }
  if (!goes_on) {
    remedy.before = graph_.tasks()[*std::prev(in_other)].created_at;
    if (same_place(remedy.created, remedy.before)) return remedy;
  }
  const NewEdges awaited{{child}, parted};
  if (waited_for.posted && precedes(first, second, &awaited)) {
    remedy.kind = findings::RemedyKind::await;
    return remedy;
  }
  const NewEdges more{open_below(child), parted};
  if (precedes(first, second, &more)) remedy.kind = findings::RemedyKind::finish;
  return remedy;
}

}  // namespace anyorder::detect::graph
