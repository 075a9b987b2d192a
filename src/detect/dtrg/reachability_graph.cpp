#include "detect/dtrg/reachability_graph.hpp"

#include <algorithm>
#include <utility>

#include "support/check.hpp"

namespace anyorder::detect::dtrg {

TaskId ReachabilityGraph::begin_root() {
  ANYORDER_CHECK(running_ == kNoTask, "a root begins while another runs");
  return add(kNoTask, kNoTask, kNoTask, 0);
}

Join ReachabilityGraph::get(TaskId getter, TaskId target) {
  ANYORDER_CHECK(getter == running_, "a get by a task that does not run");
  const TaskId source = find(target);
  if (source == getter) return Join::none;
  if (find(tasks_[target].parent) == getter) {
    merge(getter, source);
    return Join::tree;
  }
  ++non_tree_joins_;
  // A task may get the same future a million times.
  const Listed listed = is_listed(target, tasks_[getter].nt);
  if (listed == Listed::yes) return Join::non_tree;
  if (listed == Listed::unknown && !pasts_[getter].is_first_get_of(target)) return Join::non_tree;
  const std::uint32_t edge = edges_.push_back({target, 0});
  edges_[edge].next = edge;
  tasks_[getter].nt = joined(tasks_[getter].nt, edge);
  ++epoch_;
  return Join::non_tree;
}

ReachabilityGraph::Listed ReachabilityGraph::is_listed(TaskId target, std::uint32_t last) const noexcept {
  constexpr int kFew = 8;
  if (last == kNoEdge) return Listed::no;
  std::uint32_t at = last;
  for (int i = 0; i != kFew; ++i) {
    at = edges_[at].next;
    if (edges_[at].source == target) return Listed::yes;
    if (at == last) return Listed::no;
  }
  return Listed::unknown;
}

void ReachabilityGraph::join(TaskId owner, TaskId begin, TaskId end) {
  for (TaskId task = begin; task != end; ++task) {
    const Task& joined = tasks_[task];
    ANYORDER_CHECK(joined.label.post <= temporary_, "a finish ends after its tasks");
    const TaskId source = joined.set == task ? task : find(task);
    if (source != owner) merge(owner, source);
  }
}

void ReachabilityGraph::merge(TaskId into, TaskId representative) {
  Task& source = tasks_[representative];
  source.set = into;
  ++epoch_;
  if (source.nt == kNoEdge) return;
  tasks_[into].nt = joined(tasks_[into].nt, std::exchange(source.nt, kNoEdge));
}

std::uint32_t ReachabilityGraph::joined(std::uint32_t older, std::uint32_t newer) {
  if (older == kNoEdge) return newer;
  if (newer == kNoEdge) return older;
  std::swap(edges_[older].next, edges_[newer].next);
  return newer;
}

std::vector<TaskId> ReachabilityGraph::non_tree_predecessors(TaskId representative) const {
  std::vector<TaskId> sources;
  const std::uint32_t last = tasks_[representative].nt;
  if (last == kNoEdge) return sources;
  std::uint32_t at = last;
  do {
    at = edges_[at].next;
    sources.push_back(edges_[at].source);
  } while (at != last);
  return sources;
}

bool ReachabilityGraph::precedes_by_joins(TaskId source, TaskId later) {
  std::uint64_t visits = 0;
  bool found = false;
  // The joins of the task itself, then of its significant ancestors up to the root. What an ancestor joined
  // before it created the task had ended then: a source that began after an ancestor did cannot precede the
  // task by joins of ancestors of that one.
  for (TaskId task = later; task != kNoTask && !found;) {
    const TaskId set = find(task);
    if (tasks_[set].nt != kNoEdge) {
      if (runs(set)) {
        found = is_in_past(source, set, pasts_[set], visits);
      } else {
        Past past;
        found = is_in_past(source, set, past, visits);
      }
    }
    if (label(source).pre > label(set).pre) break;
    task = tasks_[set].lsa;
  }
  count_query(visits);
  return found;
}

bool ReachabilityGraph::precedes_end_of(TaskId earlier, TaskId later) {
  const TaskId source = find(earlier);
  const TaskId set = find(later);
  return label(source).subsumes(label(set)) || precedes_by_joins(source, set);
}

bool ReachabilityGraph::is_in_past(TaskId source, TaskId task, Past& past, std::uint64_t& visits) {
  take_joins(task, past);
  const Label sought = label(source);
  while (!past.knows(sought.pre, sought.post)) {
    if (!past.has_from(sought.pre)) return false;
    const TaskId set = find(past.take());
    // In the set of the task itself, or of an ancestor, by now: that is asked for by the label.
    if (set == task || runs(set)) continue;
    ++visits;
    expand(set, past);
  }
  return true;
}

void ReachabilityGraph::take_joins(TaskId task, Past& past) {
  const std::uint32_t last = tasks_[task].nt;
  if (past.taken == last) return;
  add_edges(past.taken == Past::kNothing ? last : past.taken, last, task, past);
  past.taken = last;
}

void ReachabilityGraph::expand(TaskId representative, Past& past) {
  if (!past.prove(label(representative).pre)) return;
  const Task& task = tasks_[representative];
  if (task.nt != kNoEdge) add_edges(task.nt, task.nt, representative, past);
  // What its significant ancestors joined before they created it. Those that still run are ancestors of the
  // task that asks, too, or that task itself, whose joins are looked at anyway.
  for (TaskId at = task.lsa; at != kNoTask;) {
    const TaskId ancestor = find(at);
    if (runs(ancestor) || !past.pass_through(ancestor)) break;
    const std::uint32_t last = tasks_[ancestor].nt;
    if (last != kNoEdge) add_edges(last, last, ancestor, past);
    at = tasks_[ancestor].lsa;
  }
}

void ReachabilityGraph::add_edges(std::uint32_t after, std::uint32_t last, TaskId of, Past& past) {
  std::uint32_t at = after;
  do {
    at = edges_[at].next;
    const TaskId set = find(edges_[at].source);
    if (set != of) past.add(set, label(set).post);
  } while (at != last);
}

void ReachabilityGraph::count_query(std::uint64_t visits) noexcept {
  ++(visits == 0   ? queries_.visits_0
     : visits == 1 ? queries_.visits_1
     : visits < 10 ? queries_.visits_2_to_9
                   : queries_.visits_10_or_more);
  queries_.longest = std::max(queries_.longest, visits);
}

}  // namespace anyorder::detect::dtrg
