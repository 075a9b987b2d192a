#include "detect/dtrg/reachability_graph.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

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
  const std::uint32_t edge = edges_.push_back({target, 0, next_label_});
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
  const std::uint32_t joins = std::exchange(source.nt, next_label_);
  if (joins == kNoEdge) return;
  tasks_[into].nt = joined(tasks_[into].nt, joins);
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
  const std::uint32_t last = is_representative(representative) ? tasks_[representative].nt : kNoEdge;
  if (last == kNoEdge) return sources;
  std::uint32_t at = last;
  do {
    at = edges_[at].next;
    sources.push_back(edges_[at].source);
  } while (at != last);
  return sources;
}

bool ReachabilityGraph::precedes_by_joins(TaskId source, TaskId running) {
  std::uint64_t visits = 0;
  take_joins();
  const bool found = is_in_past(source, past_.levels_up_to(running), visits);
  queries_.visits.add(visits);
  return found;
}

bool ReachabilityGraph::is_in_past(TaskId source, Past::Level levels, std::uint64_t& visits) {
  const Label sought = label(source);
  while (!past_.knows(sought.pre, sought.post, levels)) {
    if (!past_.has_from(sought.pre)) return false;
    const Past::Source next = past_.take();
    // By now in the set of the task that has it in its past, or of an ancestor: that is asked for by the
    // label.
    if (runs(find(next.set))) continue;
    ++visits;
    expand(next.set, next.level);
  }
  return true;
}

void ReachabilityGraph::take_joins() {
  past_.take_joins([this](TaskId task, Past::Level level, std::uint32_t taken) {
    const std::uint32_t last = tasks_[task].nt;
    if (taken != last) add_edges(taken == Past::kNothing ? last : taken, last, task, level);
    return last;
  });
}

void ReachabilityGraph::expand(TaskId set, Past::Level level) {
  const Task& task = tasks_[set];
  // One that was taken in since is in the set of a task around all that have it in their past.
  if (task.set == set && task.nt != kNoEdge) add_edges(task.nt, task.nt, set, level);
  // What its significant ancestors joined before they created it. Those that still run are ancestors of the
  // task that asks, too, or that task itself, whose joins are looked at anyway.
  for (TaskId at = task.lsa; at != kNoTask;) {
    const TaskId ancestor = find(at);
    if (runs(ancestor) || !past_.pass_through(level, ancestor)) break;
    const std::uint32_t last = tasks_[ancestor].nt;
    if (last != kNoEdge) add_edges(last, last, ancestor, level);
    at = tasks_[ancestor].lsa;
  }
}

void ReachabilityGraph::add_edges(std::uint32_t after, std::uint32_t last, TaskId of, Past::Level level) {
  std::uint32_t at = after;
  do {
    at = edges_[at].next;
    const TaskId set = find(edges_[at].source);
    if (set != of && !runs(set)) past_.add(level, set, label(set).pre, label(set).post);
  } while (at != last);
}

TaskId ReachabilityGraph::find_at(TaskId task, Moment at) const noexcept {
  // A set is a part of the spawn tree, and its representative the one at the top.
  while (!is_representative(task) && tasks_[task].nt <= at) task = tasks_[task].parent;
  return task;
}

TaskId ReachabilityGraph::running_at(Moment at) const noexcept {
  // Labels begin in the order of the tasks: of those that had begun, the last one or one around it.
  TaskId begun = 0;
  for (TaskId end = tasks_.size(); end - begun > 1;) {
    const TaskId middle = begun + (end - begun) / 2;
    (label(middle).pre < at ? begun : end) = middle;
  }
  while (label(begun).post < at) begun = tasks_[begun].parent;
  return begun;
}

template <class F>
void ReachabilityGraph::for_each_join_at(TaskId representative, Moment from, Moment at, F f) const {
  // Edges are in the order of time: those of the set are among those made while its representative ran.
  const Label own = label(representative);
  const Moment first = std::max(own.pre, from);
  std::uint32_t edge = 0;
  for (std::uint32_t end = edges_.size(); edge != end;) {
    const std::uint32_t middle = edge + (end - edge) / 2;
    if (edges_[middle].made_at <= first) {
      edge = middle + 1;
    } else {
      end = middle;
    }
  }
  const Moment last = std::min(own.post, at);
  for (; edge != edges_.size() && edges_[edge].made_at <= last; ++edge) {
    if (find_at(running_at(edges_[edge].made_at), at) == representative) f(edges_[edge].source);
  }
}

bool ReachabilityGraph::precedes_at(TaskId earlier, TaskId later, Moment at) const {
  if (label(earlier).pre > at) return false;
  const TaskId source = find_at(earlier, at);
  return label(source).subsumes(label(later)) || precedes_by_joins_at(source, later, at);
}

bool ReachabilityGraph::precedes_by_joins_at(TaskId source, TaskId later, Moment at) const {
  const Label sought = label(source);
  bool found = false;
  std::vector<TaskId> ahead;  // sets whose joins are to be looked into
  std::unordered_set<TaskId> seen;
  const auto go_on_to = [&](TaskId set) {
    if (seen.insert(set).second) ahead.push_back(set);
  };
  // The tasks that ran: nobody had taken them in.
  for (TaskId task = later; task != kNoTask; task = tasks_[task].lsa) go_on_to(task);
  while (!ahead.empty() && !found) {
    const TaskId set = ahead.back();
    ahead.pop_back();
    // A task that is waited for has ended: what began later does not lead to it.
    for_each_join_at(set, sought.pre, at, [&](TaskId target) {
      const TaskId joined = find_at(target, at);
      found = found || sought.subsumes(label(joined));
      // What precedes a set ended before it; and what its significant ancestors joined before they created it
      // precedes it, too, of which those that ran are among the sets above.
      for (TaskId up = joined; up != kNoTask && label(up).post >= sought.pre && !seen.contains(up);) {
        go_on_to(up);
        up = tasks_[up].lsa == kNoTask ? kNoTask : find_at(tasks_[up].lsa, at);
      }
    });
  }
  return found;
}

}  // namespace anyorder::detect::dtrg
