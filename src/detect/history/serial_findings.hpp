// What a serial detector does with races, references and the rarer events: the part of SerialDetector that is
// not made for speed.
//
// For the one file of a detector that instantiates it.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "detect/history/findings.hpp"
#include "detect/history/serial_detector.hpp"
#include "detect/history/whole_access.hpp"

namespace anyorder::detect::history {

template <Order O, class Readers>
void* SerialDetector<O, Readers>::open_finish() {
  return finishes_.emplace_back(std::make_unique<OpenFinish>()).get();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::root_begun(events::Slot root, events::Slot finish) {
  t_own = this;
  if (order_.task_count() != 0) {
    findings_.add(findings::Unsupported{
        "root",
        "Tasks that are created after the program's first tasks have ended are not compared with those.",
        {}});
  }
  admit_process();
  over_ = 0;
  root = to_slot(order_.begin_root());
  forget_relations();
  finish = open_finish();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::root_ended(events::Slot root, events::Slot finish) {
  finish_ended(root, finish);
  end_task(known_task_in(root));
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::end_destructions(TaskId task) {
  if (const LastReferences* const last = known_last_references_of(task)) {
    // What was not freed was not destroyed.
    for (const Pending& race : last->pending) report(race.earlier, race.later);
    last_references_.pop_back();
  }
  while (!destructions_.empty() && destructions_.back().task == task) destructions_.pop_back();
  note_destructions();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::begin_run(std::vector<Run>& joins, TaskId created) {
  joins.push_back({created, created + 1});
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::finish_begun(events::Slot /*owner*/, events::Slot finish,
                                              events::SourceSite /*at*/) {
  finish = open_finish();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::finish_ended(events::Slot owner, events::Slot finish) {
  const OpenFinish& ended = finish_in(finish);
  ANYORDER_CHECK(&ended == finishes_.back().get(), "a finish ends within another one");
  const TaskId task = known_task_in(owner);
  for (const Run& run : ended.joins) order_.join(task, run.begin, run.end);
  // What was created since the first of them was created inside this finish, and has been waited for.
  if (task == kRoot && !ended.joins.empty() && ended.joins.front().begin <= std::max(over_, TaskId{1})) {
    note_over(order_.task_count());
  }
  finishes_.pop_back();
  finish = nullptr;
  forget_relations();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::isolated_entered(events::Slot /*task*/,
                                                  std::span<const void* const> /*objects*/,
                                                  events::SourceSite at) {
  tell_not_accepted("isolated", at);
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::tell_not_accepted(const char* construct, events::SourceSite at) {
  findings_.add(not_accepted(name_, construct, at));
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::forget_foreign() {
  for (const ForeignRanges::Range& range : foreign_.take()) forget_own(range.begin, range.bytes);
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::mapped(std::uintptr_t address, std::size_t bytes) {
  forget(address, bytes);
  if (!history_.admit(address, bytes)) findings_.add(shared_cells());
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::unmapped(std::uintptr_t address, std::size_t bytes) {
  if (t_own != this) {
    foreign_.add({address, bytes});
    return;
  }
  drops_.forget(address, bytes);
  told_.forget(address, bytes);
  history_.release(address, bytes);
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::release_reference(void* state, const void* counter) {
  const TaskId task = task_in(state);
  LastReferences* const last = known_last_references_of(task);
  if (last != nullptr) end_destructions_of(*last);
  Drops& drops = drops_.of(counter);
  drops.add({task, order_.moment()});
  // If the task is destroying something, then it drops what that had: the others dropped it with theirs.
  for (auto at = destructions_.rbegin(); at != destructions_.rend() && at->task == task; ++at) {
    drops.add(at->drops);
    if (at->ended != kNoTask) drops.add({at->ended, {}, true});
  }
  if (last != nullptr) {
    for (const EndedCounter& destroyed : last->counters) drops.add(destroyed.drops);
  }
  forget_relations();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::begin_destruction(void* state, const void* counter, void* ended) {
  destructions_.emplace_back(
      Destruction{task_in(state), drops_.take(counter), ended == nullptr ? kNoTask : task_in(ended)});
  note_destructions();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::end_destruction(void* state) {
  ANYORDER_CHECK(!destructions_.empty() && destructions_.back().task == task_in(state),
                 "a destruction ends twice");
  destructions_.pop_back();
  note_destructions();
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::release_last_reference(void* state, const void* counter) {
  const TaskId task = task_in(state);
  if (LastReferences* const last = known_last_references_of(task)) end_destructions_of(*last);
  Drops drops = drops_.take(counter);
  drops.remove(task);
  if (drops.empty()) return;
  last_references_of(task).counters.push_back({reinterpret_cast<std::uintptr_t>(counter), std::move(drops)});
  note_destructions();
}

// Of what was freed, when the task turns to another counter.
template <Order O, class Readers>
void SerialDetector<O, Readers>::end_destructions_of(LastReferences& last) {
  std::erase_if(last.counters, [](const EndedCounter& counter) { return counter.freed; });
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::retire(void* state, std::uintptr_t address, std::size_t bytes,
                                        std::uintptr_t site) {
  write(state, address, bytes, site);
  LastReferences* const last = known_last_references_of(task_in(state));
  if (last == nullptr) return;
  std::erase_if(last->pending, [&](const Pending& race) {
    return race.earlier.begin >= address && race.earlier.end <= address + bytes;
  });
  for (EndedCounter& counter : last->counters) counter.freed |= counter.address - address < bytes;
}

template <Order O, class Readers>
typename SerialDetector<O, Readers>::LastReferences* SerialDetector<O, Readers>::known_last_references_of(
    TaskId task) {
  return last_references_.empty() || last_references_.back().task != task ? nullptr
                                                                          : &last_references_.back();
}

template <Order O, class Readers>
typename SerialDetector<O, Readers>::LastReferences& SerialDetector<O, Readers>::last_references_of(
    TaskId task) {
  if (LastReferences* const known = known_last_references_of(task)) return *known;
  return last_references_.emplace_back(LastReferences{task});
}

template <Order O, class Readers>
bool SerialDetector<O, Readers>::covered_by(Drops& drops, TaskId earlier) {
  return drops.is_by(earlier) || std::any_of(drops.begin(), drops.end(), [&](const auto& drop) {
           return drop.at_its_end ? order_.precedes_end_of(earlier, drop.task)
                                  : order_.precedes_at(earlier, drop.task, drop.at);
         });
}

template <Order O, class Readers>
bool SerialDetector<O, Readers>::covered_by_destructions_of(TaskId task, TaskId earlier) {
  for (auto at = destructions_.rbegin(); at != destructions_.rend() && at->task == task; ++at) {
    if (covered_by(at->drops, earlier)) return true;
    if (at->ended != kNoTask && (earlier == at->ended || order_.precedes_end_of(earlier, at->ended)))
      return true;
  }
  return false;
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::judge(std::span<const Conflict> conflicts, findings::AccessKind kind,
                                       TaskId task) {
  LastReferences* const last = known_last_references_of(task);
  for (const Conflict& conflict : conflicts) {
    if (covered_by_destructions_of(task, conflict.task)) continue;
    const Made later{kind, task, conflict.later_site};
    if (last != nullptr &&
        std::any_of(last->counters.begin(), last->counters.end(),
                    [&](EndedCounter& counter) { return covered_by(counter.drops, conflict.task); })) {
      last->pending.push_back({conflict, later});
      continue;
    }
    report(conflict, later);
  }
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::report(const Conflict& earlier, const Made& later) {
  using findings::AccessKind;
  if (!told_.add({earlier.begin, earlier.end, earlier.site, later.site, earlier.kind == AccessKind::write,
                  later.kind == AccessKind::write})) {
    return;
  }
  findings_.add(findings::race_between(
      earlier.begin, earlier.end, describe({earlier.kind, earlier.task, earlier.site}), describe(later)));
}

template <Order O, class Readers>
findings::OriginatedAccess SerialDetector<O, Readers>::describe(const Made& access) const {
  using Creation = std::optional<std::pair<findings::Frame, std::uint64_t>>;
  return {access.kind, access.site, findings::origin_of(access.task, [&](std::uint64_t task) {
            const auto id = static_cast<TaskId>(task);
            if (order_.parent(id) == kNoTask) return Creation();
            return Creation({frame_of(creations_[order_.created_at(id)]), order_.parent(id)});
          })};
}

template <Order O, class Readers>
void SerialDetector<O, Readers>::admit_process() {
  try {
    history_.admit_process();
  } catch (const std::exception& error) {
    findings_.add(shared_cells(error.what()));
  }
}

template <Order O, class Readers>
findings::Coverage SerialDetector<O, Readers>::coverage() {
  admit_process();
  return findings::Coverage::all_schedules;
}

}  // namespace anyorder::detect::history
