#include "detect/dtrg/dtrg.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "support/check.hpp"

namespace anyorder::detect::dtrg {

static_assert(events::Detector<Dtrg>);

namespace {

// A trace of creations ends here: nesting may be a million deep.
constexpr std::size_t kCreationFrames = 32;

findings::Frame frame_of(events::SourceSite at) { return {0, {at.file, at.line, 0, at.function}}; }

}  // namespace

TaskId Dtrg::known_task_in(const void* slot) {
  ANYORDER_CHECK(slot != nullptr, "an event names a task whose beginning was not heard");
  return task_in(slot);
}

Dtrg::OpenFinish& Dtrg::finish_in(void* slot) {
  ANYORDER_CHECK(slot != nullptr, "an event names a finish whose beginning was not heard");
  return *static_cast<OpenFinish*>(slot);
}

void* Dtrg::open_finish() { return finishes_.emplace_back(std::make_unique<OpenFinish>()).get(); }

void Dtrg::root_begun(events::Slot root, events::Slot finish) {
  t_own = this;
  if (graph_.task_count() != 0) {
    findings_.add(findings::Unsupported{
        "root",
        "Tasks that are created after the program's first tasks have ended are not compared with those.",
        {}});
  }
  try {
    history_.admit_process();
  } catch (const std::exception& error) {
    tell_shared_cells(error.what());
  }
  root = to_slot(graph_.begin_root());
  forget_relations();
  finish = open_finish();
}

void Dtrg::root_ended(events::Slot root, events::Slot finish) {
  finish_ended(root, finish);
  end_task(known_task_in(root));
}

void Dtrg::task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                        events::SourceSite at) {
  const TaskKind own_kind = kind == events::TaskKind::future ? TaskKind::future : TaskKind::async;
  const TaskId created = graph_.create(known_task_in(parent), own_kind, creations_.id_of({at}));
  finish_in(finish).joins.push_back(created);
  child = to_slot(created);
  forget_relations();
}

void Dtrg::task_begun(events::Slot /*task*/) {}
void Dtrg::task_resumed(events::Slot /*task*/) {}
void Dtrg::task_forgotten(events::Slot /*task*/) {}

void Dtrg::task_ended(events::Slot task) { end_task(known_task_in(task)); }

void Dtrg::end_task(TaskId task) {
  if (!destructions_.empty() && destructions_.back().task == task) {
    // What was not freed was not destroyed.
    for (const Pending& race : destructions_.back().pending) report(race.earlier, race.later);
    destructions_.pop_back();
  }
  graph_.end(task);
  forget_relations();
  history_.collect_if_due();
}

void Dtrg::finish_begun(events::Slot /*owner*/, events::Slot finish, events::SourceSite /*at*/) {
  finish = open_finish();
}

void Dtrg::finish_ended(events::Slot owner, events::Slot finish) {
  const OpenFinish& ended = finish_in(finish);
  ANYORDER_CHECK(&ended == finishes_.back().get(), "a finish ends within another one");
  const TaskId task = known_task_in(owner);
  for (const TaskId joined : ended.joins) {
    ANYORDER_CHECK(!graph_.runs(joined), "a finish ends after its tasks");
    graph_.join(task, joined);
  }
  finishes_.pop_back();
  finish = nullptr;
  forget_relations();
}

void Dtrg::get_begun(events::Slot /*getter*/, events::Slot /*target*/, events::SourceSite /*at*/) {}

void Dtrg::get_ended(events::Slot getter, events::Slot target, events::SourceSite /*at*/) {
  const TaskId future = known_task_in(target);
  // A get that was refused, since it would wait for ever, orders nothing.
  if (!graph_.runs(future)) graph_.get(known_task_in(getter), future);
  forget_relations();
}

void Dtrg::isolated_entered(events::Slot /*task*/, std::span<const void* const> /*objects*/,
                            events::SourceSite at) {
  findings_.add(findings::Unsupported{"isolated", "The detector dtrg does not accept this construct.",
                                      findings::Trace({frame_of(at)})});
}
void Dtrg::isolated_left(events::Slot /*task*/, std::span<const void* const> /*objects*/) {}

void Dtrg::forget(std::uintptr_t address, std::size_t bytes) {
  if (t_own != this) {
    foreign_.add({address, bytes});
    return;
  }
  forget_own(address, bytes);
}

void Dtrg::forget_own(std::uintptr_t address, std::size_t bytes) {
  drops_.forget(address, bytes);
  told_.forget(address, bytes);
  const std::size_t clean = stack_.give_up(address, bytes);
  history_.forget(address + clean, bytes - clean);
}

void Dtrg::forget_foreign() {
  for (const ForeignRanges::Range& range : foreign_.take()) forget_own(range.begin, range.bytes);
}

void Dtrg::mapped(std::uintptr_t address, std::size_t bytes) {
  forget(address, bytes);
  if (!history_.admit(address, bytes)) {
    tell_shared_cells("Memory that the program mapped shares shadow memory with other memory.");
  }
}

void Dtrg::unmapped(std::uintptr_t address, std::size_t bytes) {
  if (t_own != this) {
    foreign_.add({address, bytes});
    return;
  }
  drops_.forget(address, bytes);
  told_.forget(address, bytes);
  history_.release(address, bytes);
}

void Dtrg::release_reference(void* state, const void* counter) { drops_.add(counter, task_in(state)); }

void Dtrg::begin_destruction(void* state, const void* counter) {
  destruction_of(task_in(state)).destroying.push_back(drops_.take(counter));
}

void Dtrg::end_destruction(void* state) {
  Destruction* const destruction = known_destruction_of(task_in(state));
  ANYORDER_CHECK(destruction != nullptr && !destruction->destroying.empty(), "a destruction ends twice");
  destruction->destroying.pop_back();
}

void Dtrg::release_last_reference(void* state, const void* counter) {
  const TaskId task = task_in(state);
  ReferenceDrops::Tasks drops = drops_.take(counter);
  std::erase(drops, task);
  if (drops.empty()) return;
  ReferenceDrops::Tasks& all = destruction_of(task).last_of;
  all.insert(all.end(), drops.begin(), drops.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

void Dtrg::retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
  write(state, address, bytes, site);
  Destruction* const destruction = known_destruction_of(task_in(state));
  if (destruction == nullptr) return;
  std::erase_if(destruction->pending, [&](const Pending& race) {
    return race.earlier.begin >= address && race.earlier.end <= address + bytes;
  });
}

Dtrg::Destruction* Dtrg::known_destruction_of(TaskId task) {
  return destructions_.empty() || destructions_.back().task != task ? nullptr : &destructions_.back();
}

Dtrg::Destruction& Dtrg::destruction_of(TaskId task) {
  if (Destruction* const known = known_destruction_of(task)) return *known;
  return destructions_.emplace_back(Destruction{task});
}

bool Dtrg::covered_by(const ReferenceDrops::Tasks& drops, TaskId earlier) {
  return std::binary_search(drops.begin(), drops.end(), earlier) ||
         std::any_of(drops.begin(), drops.end(),
                     [&](TaskId drop) { return graph_.precedes_end_of(earlier, drop); });
}

void Dtrg::judge(std::span<const Conflict> conflicts, const Made& later) {
  Destruction* const destruction = known_destruction_of(later.task);
  for (const Conflict& conflict : conflicts) {
    if (destruction != nullptr) {
      const auto covers = [&](const auto& drops) { return covered_by(drops, conflict.task); };
      if (std::any_of(destruction->destroying.begin(), destruction->destroying.end(), covers)) continue;
      if (covers(destruction->last_of)) {
        destruction->pending.push_back({conflict, later});
        continue;
      }
    }
    report(conflict, later);
  }
}

void Dtrg::report(const Conflict& earlier, const Made& later) {
  using findings::AccessKind;
  if (!told_.add({earlier.begin, earlier.end, earlier.site, later.site, earlier.kind == AccessKind::write,
                  later.kind == AccessKind::write})) {
    return;
  }
  findings_.add(findings::Race{earlier.begin,
                               earlier.end - earlier.begin,
                               describe({earlier.kind, earlier.task, earlier.site}),
                               describe(later),
                               {}});
}

findings::Access Dtrg::describe(const Made& access) const {
  findings::Trace::Frames created_at;
  for (TaskId at = access.task; created_at.size() < kCreationFrames; at = graph_.parent(at)) {
    if (graph_.parent(at) == kNoTask) break;  // nobody created a root
    created_at.push_back(frame_of(creations_[graph_.created_at(at)].site));
  }
  return {access.kind, access.task, findings::Trace({findings::Frame{access.site, {}}}),
          findings::Trace(std::move(created_at))};
}

void Dtrg::tell_shared_cells(const std::string& why) {
  findings_.add(findings::Unsupported{"memory layout", why, {}});
}

findings::Coverage Dtrg::coverage() {
  try {
    history_.admit_process();
  } catch (const std::exception& error) {
    tell_shared_cells(error.what());
  }
  return findings::Coverage::all_schedules;
}

std::vector<std::pair<std::string, double>> Dtrg::statistics(std::uint64_t accesses,
                                                             std::uint64_t readers) const {
  const ReachabilityGraph::Queries& queries = graph_.queries();
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  std::vector<std::pair<std::string, double>> all = {
      {"non_tree_joins", number(graph_.non_tree_joins())},
      {"average_readers", accesses == 0 ? 0.0 : number(history_.readers_seen() + readers) / number(accesses)},
      {"queries_by_label", number(queries.by_label)},
      {"queries_by_joins", number(queries.visits.count())},
      {"longest_query", number(queries.visits.largest())},
  };
  for (std::size_t row = 0; row < queries.visits.rows(); ++row) {
    all.emplace_back("query_visits/" + support::PowerHistogram::name_of(row), number(queries.visits[row]));
  }
  return all;
}

}  // namespace anyorder::detect::dtrg
