#include "detect/graph/graph.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "detect/graph/remedies.hpp"
#include "support/check.hpp"

namespace anyorder::detect::graph {

static_assert(events::Detector<Graph>);

namespace {

// So many pairs of steps are kept for the export.
constexpr std::size_t kMostPairs = 100'000;
// So many pairs of places get a remedy, which is tried on so many pairs of steps, within so many visits.
constexpr std::size_t kMostSitePairs = 1'000;
constexpr std::size_t kPairsTried = 8;
constexpr std::uint64_t kMostVisits = 50'000'000;

findings::Frame frame_of(events::SourceSite at) { return {0, {at.file, at.line, 0, at.function}}; }

}  // namespace

Graph::RunningTask& Graph::task_in(void* slot) {
  ANYORDER_CHECK(slot != nullptr, "an event names a task whose beginning was not heard");
  return *static_cast<RunningTask*>(slot);
}
Graph::OpenFinish& Graph::finish_in(void* slot) {
  ANYORDER_CHECK(slot != nullptr, "an event names a finish whose beginning was not heard");
  return *static_cast<OpenFinish*>(slot);
}

Graph::RunningTask& Graph::begin_task(events::Slot slot, const Task& task, std::span<const Edge> edges) {
  const TaskId id = graph_.add_task(task);
  const StepId first = graph_.add_step(id, kNoSection, task.created_at, edges);
  RunningTask& running = tasks_.emplace_back(RunningTask{id, first});
  slot = &running;
  return running;
}

void Graph::next_step(RunningTask& task, SectionId section, events::SourceSite from, std::vector<Edge> edges,
                      StepBegin begun_by) {
  edges.insert(edges.begin(), {task.current, EdgeKind::continues});
  task.current = graph_.add_step(task.id, section, from, edges, begun_by);
}

void Graph::end_task(RunningTask& task) {
  flush(task);
  task.ended = true;
  pasts_.drop(task.id);
}

void Graph::root_begun(events::Slot root, events::Slot finish) {
  const std::lock_guard lock(mutex_);
  const RunningTask& begun = begin_task(root, {events::TaskKind::root, kNoTask, {}, kNoTask}, {});
  finish = &finishes_.emplace_back(OpenFinish{begun.id, {}, {}});
}

void Graph::root_ended(events::Slot root, events::Slot finish) {
  finish_ended(root, finish);
  const std::lock_guard lock(mutex_);
  end_task(task_in(root));
}

void Graph::task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                         events::SourceSite at) {
  const std::lock_guard lock(mutex_);
  RunningTask& creator = task_in(parent);
  const Edge spawn{creator.current, EdgeKind::spawn};
  OpenFinish& scope = finish_in(finish);
  const RunningTask& created = begin_task(child, {kind, creator.id, at, scope.owner}, std::span(&spawn, 1));
  scope.tasks.push_back(&created);
  next_step(creator, graph_.steps()[creator.current].section, at);
}

void Graph::posted(events::Slot task, const void* /*region*/) {
  const std::lock_guard lock(mutex_);
  graph_.mark_posted(task_in(task).id);
}

void Graph::task_begun(events::Slot /*task*/) {}
void Graph::task_resumed(events::Slot /*task*/) {}
void Graph::task_forgotten(events::Slot /*task*/) {}

void Graph::task_ended(events::Slot task) {
  const std::lock_guard lock(mutex_);
  end_task(task_in(task));
}

void Graph::finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) {
  const std::lock_guard lock(mutex_);
  RunningTask& task = task_in(owner);
  finish = &finishes_.emplace_back(OpenFinish{task.id, at, {}});
  next_step(task, graph_.steps()[task.current].section, at);
}

void Graph::finish_ended(events::Slot owner, events::Slot finish) {
  const std::lock_guard lock(mutex_);
  OpenFinish& scope = finish_in(finish);
  std::vector<Edge> joins;
  for (const RunningTask* task : scope.tasks) {
    ANYORDER_CHECK(task->ended, "a finish ends after its tasks");
    joins.push_back({task->current, EdgeKind::join});
  }
  scope.tasks = {};
  RunningTask& task = task_in(owner);
  next_step(task, graph_.steps()[task.current].section, scope.at, std::move(joins), StepBegin::end_of_finish);
}

void Graph::get_begun(events::Slot /*getter*/, events::Slot /*target*/, events::SourceSite /*at*/) {}

void Graph::get_ended(events::Slot getter, events::Slot target, events::SourceSite at) {
  const std::lock_guard lock(mutex_);
  RunningTask& task = task_in(getter);
  const RunningTask& future = task_in(target);
  std::vector<Edge> join;
  // A get that a join policy refused ends before its target does, and orders nothing.
  if (future.ended) join.push_back({future.current, EdgeKind::join});
  next_step(task, graph_.steps()[task.current].section, at, std::move(join), StepBegin::get);
}

std::vector<Edge> Graph::edges_from_sections(const RunningTask& task, std::span<const void* const> objects) {
  std::vector<StepId> earlier = last_section_on_all_;
  if (objects.empty()) {
    for (const auto& [object, step] : last_section_on_) earlier.push_back(step);
  }
  for (const void* object : objects) {
    const auto last = last_section_on_.find(object);
    if (last != last_section_on_.end()) earlier.push_back(last->second);
  }
  std::sort(earlier.begin(), earlier.end());
  earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
  std::vector<Edge> edges;
  for (const StepId step : earlier) {
    if (graph_.steps()[step].task == task.id) continue;
    if (pasts_.precedes(step, task.id, task.current, Along::all_edges)) continue;
    edges.push_back({step, EdgeKind::order});
  }
  return edges;
}

void Graph::isolated_entered(events::Slot task, std::span<const void* const> objects, events::SourceSite at) {
  const std::lock_guard lock(mutex_);
  RunningTask& running = task_in(task);
  next_step(running, graph_.add_section(objects), at, edges_from_sections(running, objects));
}

void Graph::isolated_left(events::Slot task, std::span<const void* const> objects) {
  const std::lock_guard lock(mutex_);
  RunningTask& running = task_in(task);
  if (objects.empty()) {
    last_section_on_.clear();  // all of them precede this section
    last_section_on_all_ = {running.current};
  }
  for (const void* object : objects) last_section_on_[object] = running.current;
  next_step(running, kNoSection, graph_.steps()[running.current].from);
}

template <class Precedes>
Judgement Graph::judge(StepId earlier, StepId later, Precedes precedes) const {
  if (graph_.steps()[earlier].task == graph_.steps()[later].task) return Judgement::ordered;
  if (precedes(Along::structure)) return Judgement::ordered;
  if (graph_.are_exclusive(earlier, later)) return Judgement::exclusive;
  if (graph_.has_order_edges() && precedes(Along::all_edges)) return Judgement::undecided;
  return Judgement::race;
}

void Graph::access(RunningTask& task, std::uintptr_t address, std::size_t bytes, LoggedAccess access) {
  ANYORDER_CHECK(!task.ended, "an access by a task that has ended");
  access.step = task.current;
  const auto judge_all = [&](const Location& location) {
    location.for_each_conflicting(access.kind, [&](const LoggedAccess& earlier) {
      const Judgement judgement = judge(earlier.step, access.step, [&](Along along) {
        return pasts_.precedes(earlier.step, task.id, task.current, along);
      });
      if (judgement < Judgement::undecided) return;
      if (std::any_of(task.destroying.begin(), task.destroying.end(),
                      [&](const auto& drops) { return precedes_a_drop(earlier.step, drops); })) {
        return;
      }
      const Conflict found{location.begin, location.end, earlier, access, judgement};
      if (std::any_of(task.ended_counters.begin(), task.ended_counters.end(), [&](const auto& counter) {
            return precedes_a_drop(earlier.step, counter.second.drops);
          })) {
        task.pending.push_back(found);
      } else {
        report(found);
      }
    });
  };
  // What is not after a task's earlier step is not after its later one either; sections are another matter.
  log_.add(address, bytes, access, judge_all, [&](StepId step, StepId other) {
    const Step& now = graph_.steps()[step];
    const Step& before = graph_.steps()[other];
    return now.task == before.task && now.section == kNoSection && before.section == kNoSection;
  });
}

void Graph::access(void* state, std::uintptr_t address, std::size_t bytes, LoggedAccess access) {
  const std::lock_guard lock(mutex_);
  this->access(task_in(state), address, bytes, access);
}

void Graph::forget(std::uintptr_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  log_.forget(address, bytes);
  dropped_.erase(dropped_.lower_bound(address), dropped_.lower_bound(address + bytes));
}

void Graph::release_reference(void* state, const void* counter) {
  const std::lock_guard lock(mutex_);
  RunningTask& task = task_in(state);
  end_destructions(task);
  Drops& drops = dropped_[reinterpret_cast<std::uintptr_t>(counter)];
  drops[task.id] = task.current;
  // If the task is destroying something, then it drops what that had: the others dropped it with theirs.
  for (const Drops& destroyed : task.destroying) add_drops(drops, destroyed);
  for (const auto& [at, destroyed] : task.ended_counters) add_drops(drops, destroyed.drops);
  next_step(task, graph_.steps()[task.current].section, {});  // what comes now is not covered by the drop
}

Graph::Drops Graph::take_drops(const void* counter) {
  const auto drops = dropped_.find(reinterpret_cast<std::uintptr_t>(counter));
  if (drops == dropped_.end()) return {};
  Drops taken = std::move(drops->second);
  dropped_.erase(drops);
  return taken;
}

void Graph::begin_destruction(void* state, const void* counter, void* ended) {
  const std::lock_guard lock(mutex_);
  Drops& drops = task_in(state).destroying.emplace_back(take_drops(counter));
  if (ended == nullptr) return;
  const RunningTask& owner = task_in(ended);
  ANYORDER_CHECK(owner.ended, "a task that runs has a reference to itself");
  drops[owner.id] = owner.current;
}

void Graph::end_destruction(void* state) {
  const std::lock_guard lock(mutex_);
  RunningTask& task = task_in(state);
  const bool exempted = !task.destroying.back().empty();
  task.destroying.pop_back();
  if (exempted) next_step(task, graph_.steps()[task.current].section, {});  // what comes now is not exempt
}

void Graph::release_last_reference(void* state, const void* counter) {
  const std::lock_guard lock(mutex_);
  RunningTask& task = task_in(state);
  end_destructions(task);
  Drops drops = take_drops(counter);
  drops.erase(task.id);
  if (!drops.empty()) {
    task.ended_counters[reinterpret_cast<std::uintptr_t>(counter)] = {std::move(drops)};
  }
}

// Of what was freed, when the task turns to another counter.
void Graph::end_destructions(RunningTask& task) {
  std::erase_if(task.ended_counters, [](const auto& counter) { return counter.second.freed; });
}

void Graph::add_drops(Drops& drops, const Drops& more) {
  for (const auto& [task, step] : more) {
    StepId& last = drops.try_emplace(task, step).first->second;
    last = std::max(last, step);
  }
}

void Graph::retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
  const std::lock_guard lock(mutex_);
  RunningTask& task = task_in(state);
  access(task, address, bytes, {0, findings::AccessKind::write, site});
  std::erase_if(task.pending, [&](const Conflict& conflict) {
    return conflict.begin >= address && conflict.end <= address + bytes;
  });
  const auto end = task.ended_counters.lower_bound(address + bytes);
  for (auto at = task.ended_counters.lower_bound(address); at != end; ++at) at->second.freed = true;
}

bool Graph::precedes_a_drop(StepId earlier, const Drops& drops) const {
  if (drops.empty()) return false;
  const auto own = drops.find(graph_.steps()[earlier].task);
  if (own != drops.end() && earlier <= own->second) return true;
  // By another task that the one which dropped was joined with before.
  return std::any_of(drops.begin(), drops.end(), [&](const auto& drop) {
    Past past(Along::structure);
    past.extend_to(graph_, drop.second);
    return past.contains(earlier);
  });
}

void Graph::flush(RunningTask& task) {
  for (const Conflict& conflict : task.pending) report(conflict);
  task.pending.clear();
}

std::vector<std::pair<std::string, double>> Graph::statistics() const {
  const std::lock_guard lock(mutex_);
  return {{"steps", static_cast<double>(graph_.steps().size())}};
}

void Graph::report(const Conflict& conflict) {
  const StepPair steps = std::minmax(conflict.first.step, conflict.second.step);
  const bool undecided = conflict.judgement == Judgement::undecided;
  std::set<StepPair>& pairs = undecided ? undecided_ : racing_;
  if (pairs.size() < kMostPairs) pairs.insert(steps);
  if (!undecided) remember_pair(conflict);
  // A million tasks that write one word are half a billion pairs: the same two places and bytes once.
  const auto kinds =
      static_cast<unsigned>(conflict.first.kind) * 2 + static_cast<unsigned>(conflict.second.kind);
  if (!reported_
           .insert({conflict.begin, conflict.end, events::place_of(conflict.first.site),
                    events::place_of(conflict.second.site), kinds * 2 + undecided})
           .second) {
    return;
  }
  if (undecided) {
    findings_.add(findings::Unsupported{
        "isolated",
        "Only the order of isolated sections in this run puts two conflicting accesses in order. Run "
        "`anyorder explore` to check the other orders.",
        findings::Trace({findings::Frame{conflict.second.site, {}}})});
    return;
  }
  findings_.add(findings::race_between(conflict.begin, conflict.end, describe(conflict.first),
                                       describe(conflict.second)));
}

void Graph::remember_pair(const Conflict& conflict) {
  const SitePair sites{events::place_of(conflict.first.site), events::place_of(conflict.second.site)};
  auto known = sample_.find(sites);
  if (known == sample_.end()) {
    if (sample_.size() == kMostSitePairs) return;
    known = sample_.emplace(sites, std::vector<StepPair>()).first;
  }
  if (known->second.size() == kPairsTried) return;
  const StepPair steps{conflict.first.step, conflict.second.step};
  if (std::find(known->second.begin(), known->second.end(), steps) == known->second.end()) {
    known->second.push_back(steps);
  }
}

std::vector<findings::Remedy> Graph::remedies() const {
  const std::lock_guard lock(mutex_);
  Remedies search(graph_);
  std::vector<findings::Remedy> all;
  for (const auto& [sites, pairs] : sample_) {
    const std::size_t begin = all.size();
    for (const auto& [first, second] : pairs) {
      if (search.visits() > kMostVisits) return all;
      const FoundRemedy found = search.find(first, second);
      findings::Remedy remedy;
      remedy.kind = found.kind;
      remedy.first = findings::Trace({findings::Frame{sites.first, {}}});
      remedy.second = findings::Trace({findings::Frame{sites.second, {}}});
      remedy.created = frame_of(found.created);
      remedy.before = frame_of(found.before);
      remedy.inside = frame_of(found.inside);
      remedy.later = found.later;
      remedy.later_at = frame_of(found.later_at);
      const auto like =
          std::find_if(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(),
                       [&](const findings::Remedy& other) { return same_change(remedy, other); });
      if (like == all.end()) {
        all.push_back(std::move(remedy));
      } else {
        ++like->pairs;
      }
    }
  }
  return all;
}

findings::OriginatedAccess Graph::describe(const LoggedAccess& access) const {
  using Creation = std::optional<std::pair<findings::Frame, std::uint64_t>>;
  return {access.kind, access.site,
          findings::origin_of(graph_.steps()[access.step].task, [&](std::uint64_t at) {
            const Task& task = graph_.tasks()[at];
            if (task.parent == kNoTask) return Creation();  // nobody created a root
            return Creation({frame_of(task.created_at), task.parent});
          })};
}

std::vector<Conflict> Graph::decide() const {
  const std::lock_guard lock(mutex_);
  struct Whole {
    const Location* location;
    std::vector<LoggedAccess> accesses;
  };
  struct Occurrence {
    const Whole* whole;
    const LoggedAccess* access;
  };
  std::vector<Whole> wholes;
  for (const Location* location : log_.locations()) wholes.push_back({location, location->all()});
  std::map<StepId, std::vector<Occurrence>> by_step;
  for (const Whole& whole : wholes) {
    for (const LoggedAccess& access : whole.accesses) by_step[access.step].push_back({&whole, &access});
  }
  std::vector<Conflict> conflicts;
  for (const auto& [step, occurrences] : by_step) {
    Past structure(Along::structure);
    Past all_edges(Along::all_edges);
    structure.extend_to(graph_, step);
    all_edges.extend_to(graph_, step);
    for (const auto& [whole, access] : occurrences) {
      for (const LoggedAccess& other : whole->accesses) {
        // Edges lead to higher numbers: of two steps only the lower can precede the other.
        if (other.step >= step || !conflict(other, *access)) continue;
        const Judgement judgement = judge(other.step, step, [&, earlier = other.step](Along along) {
          return (along == Along::structure ? structure : all_edges).contains(earlier);
        });
        if (judgement >= Judgement::undecided) {
          conflicts.push_back({whole->location->begin, whole->location->end, other, *access, judgement});
        }
      }
    }
  }
  return conflicts;
}

findings::Coverage Graph::coverage() const {
  const std::lock_guard lock(mutex_);
  return graph_.has_order_edges() ? findings::Coverage::one_isolated_order
                                  : findings::Coverage::all_schedules;
}

}  // namespace anyorder::detect::graph
