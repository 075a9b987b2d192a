#include "detect/dtrg/reachability_graph.hpp"

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
  if (listed == Listed::unknown && !past_.is_first_get_of(getter, target)) return Join::non_tree;
  const std::uint32_t edge = edges_.push_back({target, 0});
  edges_[edge].next = edge;
  tasks_[getter].nt = joined(tasks_[getter].nt, edge);
  past_.note_join(getter);
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
  ANYORDER_CHECK(owner == running_, "a task that does not run waits for another");
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
  past_.note_join(into);
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
  TaskId task = later;
  // The joins of the task itself, then of its significant ancestors: of those that have ended, one by one.
  // What an ancestor joined before it created the task had ended then: a source that began after an ancestor
  // did cannot precede the task by joins of ancestors of that one.
  while (task != kNoTask && !found && !runs(task)) {
    if (const std::uint32_t last = tasks_[task].nt; last != kNoEdge) {
      Past past;
      past.note_join(task);
      add_edges(last, last, task, 0, past);
      found = is_in_past(source, 1, past, visits);
    }
    if (label(source).pre > label(task).pre) break;
    const TaskId above = tasks_[task].lsa;
    task = above == kNoTask ? kNoTask : find(above);
  }
  // And of all that run at once.
  if (!found && task != kNoTask && runs(task)) {
    take_joins();
    found = is_in_past(source, past_.levels_up_to(task), past_, visits);
  }
  queries_.visits.add(visits);
  return found;
}

bool ReachabilityGraph::precedes_end_of(TaskId earlier, TaskId later) {
  const TaskId source = find(earlier);
  const TaskId set = find(later);
  return label(source).subsumes(label(set)) || precedes_by_joins(source, set);
}

bool ReachabilityGraph::is_in_past(TaskId source, Past::Level levels, Past& past, std::uint64_t& visits) {
  const Label sought = label(source);
  while (!past.knows(sought.pre, sought.post, levels)) {
    if (!past.has_from(sought.pre)) return false;
    const Past::Source next = past.take();
    // By now in the set of the task that has it in its past, or of an ancestor: that is asked for by the
    // label.
    if (runs(find(next.set))) continue;
    ++visits;
    expand(next.set, next.level, past);
  }
  return true;
}

void ReachabilityGraph::take_joins() {
  past_.take_joins([this](TaskId task, Past::Level level, std::uint32_t taken) {
    const std::uint32_t last = tasks_[task].nt;
    if (taken != last) add_edges(taken == Past::kNothing ? last : taken, last, task, level, past_);
    return last;
  });
}

void ReachabilityGraph::expand(TaskId set, Past::Level level, Past& past) {
  const Task& task = tasks_[set];
  if (task.nt != kNoEdge) add_edges(task.nt, task.nt, set, level, past);
  // What its significant ancestors joined before they created it. Those that still run are ancestors of the
  // task that asks, too, or that task itself, whose joins are looked at anyway.
  for (TaskId at = task.lsa; at != kNoTask;) {
    const TaskId ancestor = find(at);
    if (runs(ancestor) || !past.pass_through(level, ancestor)) break;
    const std::uint32_t last = tasks_[ancestor].nt;
    if (last != kNoEdge) add_edges(last, last, ancestor, level, past);
    at = tasks_[ancestor].lsa;
  }
}

void ReachabilityGraph::add_edges(std::uint32_t after, std::uint32_t last, TaskId of, Past::Level level,
                                  Past& past) {
  std::uint32_t at = after;
  do {
    at = edges_[at].next;
    const TaskId set = find(edges_[at].source);
    if (set != of && !runs(set)) past.add(level, set, label(set).pre, label(set).post);
  } while (at != last);
}

}  // namespace anyorder::detect::dtrg
