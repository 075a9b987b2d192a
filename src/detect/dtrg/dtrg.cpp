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

void Dtrg::end_destructions(TaskId task) {
  if (const LastReferences* const last = known_last_references_of(task)) {
    // What was not freed was not destroyed.
    for (const Pending& race : last->pending) report(race.earlier, race.later);
    last_references_.pop_back();
  }
  while (!destructions_.empty() && destructions_.back().task == task) destructions_.pop_back();
}

void Dtrg::begin_run(std::vector<Run>& joins, TaskId created) { joins.push_back({created, created + 1}); }

std::uint32_t Dtrg::find_creation(const SameSite& site) {
  last_creation_ = site;
  last_creation_id_ = creations_.id_of(site);
  return last_creation_id_;
}

void Dtrg::finish_begun(events::Slot /*owner*/, events::Slot finish, events::SourceSite /*at*/) {
  finish = open_finish();
}

void Dtrg::finish_ended(events::Slot owner, events::Slot finish) {
  const OpenFinish& ended = finish_in(finish);
  ANYORDER_CHECK(&ended == finishes_.back().get(), "a finish ends within another one");
  const TaskId task = known_task_in(owner);
  for (const Run& run : ended.joins) graph_.join(task, run.begin, run.end);
  finishes_.pop_back();
  finish = nullptr;
  forget_relations();
}

void Dtrg::isolated_entered(events::Slot /*task*/, std::span<const void* const> /*objects*/,
                            events::SourceSite at) {
  findings_.add(findings::Unsupported{"isolated", "The detector dtrg does not accept this construct.",
                                      findings::Trace({frame_of(at)})});
}
void Dtrg::isolated_left(events::Slot /*task*/, std::span<const void* const> /*objects*/) {}

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

void Dtrg::begin_destruction(void* state, const void* counter, void* ended) {
  destructions_.push_back(
      {task_in(state), ended == nullptr ? kNoTask : task_in(ended), drops_.take(counter)});
}

void Dtrg::end_destruction(void* state) {
  ANYORDER_CHECK(!destructions_.empty() && destructions_.back().task == task_in(state),
                 "a destruction ends twice");
  destructions_.pop_back();
}

void Dtrg::release_last_reference(void* state, const void* counter) {
  const TaskId task = task_in(state);
  ReferenceDrops::Tasks drops = drops_.take(counter);
  std::erase(drops, task);
  if (drops.empty()) return;
  ReferenceDrops::Tasks& all = last_references_of(task).drops;
  all.insert(all.end(), drops.begin(), drops.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

void Dtrg::retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
  write(state, address, bytes, site);
  LastReferences* const last = known_last_references_of(task_in(state));
  if (last == nullptr) return;
  std::erase_if(last->pending, [&](const Pending& race) {
    return race.earlier.begin >= address && race.earlier.end <= address + bytes;
  });
}

Dtrg::LastReferences* Dtrg::known_last_references_of(TaskId task) {
  return last_references_.empty() || last_references_.back().task != task ? nullptr
                                                                          : &last_references_.back();
}

Dtrg::LastReferences& Dtrg::last_references_of(TaskId task) {
  if (LastReferences* const known = known_last_references_of(task)) return *known;
  return last_references_.emplace_back(LastReferences{task});
}

bool Dtrg::covered_by(const ReferenceDrops::Tasks& drops, TaskId earlier) {
  return std::binary_search(drops.begin(), drops.end(), earlier) ||
         std::any_of(drops.begin(), drops.end(),
                     [&](TaskId drop) { return graph_.precedes_end_of(earlier, drop); });
}

bool Dtrg::covered_by_destructions_of(TaskId task, TaskId earlier) {
  for (auto at = destructions_.rbegin(); at != destructions_.rend() && at->task == task; ++at) {
    if (at->ended != kNoTask && (at->ended == earlier || graph_.precedes_end_of(earlier, at->ended))) {
      return true;
    }
    if (covered_by(at->drops, earlier)) return true;
  }
  return false;
}

void Dtrg::judge(std::span<const Conflict> conflicts, const Made& later) {
  LastReferences* const last = known_last_references_of(later.task);
  for (const Conflict& conflict : conflicts) {
    if (covered_by_destructions_of(later.task, conflict.task)) continue;
    if (last != nullptr && covered_by(last->drops, conflict.task)) {
      last->pending.push_back({conflict, later});
      continue;
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
