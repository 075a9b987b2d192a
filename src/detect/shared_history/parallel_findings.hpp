// What a ParallelDetector does that is not done at most accesses: structural events, reference counts,
// reports. Included where a detector instantiates it.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "detect/history/findings.hpp"
#include "detect/shared_history/access_whole.hpp"
#include "detect/shared_history/parallel_detector.hpp"

namespace anyorder::detect::shared_history {

template <Order O, class R>
void ParallelDetector<O, R>::attach() {
  auto own = std::make_unique<OwnThread>();
  order_.refill(own->access.stock);
  t_attachment = {number_, own.get()};
  anyorder_quick_known_4 = quick_known();
  const std::lock_guard hold(threads_mutex_);
  threads_.push_back(std::move(own));
}

template <Order O, class R>
void ParallelDetector<O, R>::admit_process() {
  if (!whole_process_) return;
  try {
    history_.admit_process();
  } catch (const std::exception& error) {
    findings_.add(history::shared_cells(error.what()));
  }
}

template <Order O, class R>
void ParallelDetector<O, R>::root_begun(events::Slot root, events::Slot finish) {
  admit_process();
  root = finish = O::to_slot(order_.begin_root(thread().stock));
}

template <Order O, class R>
void ParallelDetector<O, R>::root_ended(events::Slot root, events::Slot finish) {
  task_ended(root);
  finish = nullptr;
}

template <Order O, class R>
void ParallelDetector<O, R>::task_created(events::Slot parent, events::Slot child, events::Slot /*finish*/,
                                          events::TaskKind kind, events::SourceSite at) {
  if (kind == events::TaskKind::future) {
    orders_missing_.store(true, std::memory_order_relaxed);
    tell_unsupported("future", at);
  }
  OwnThread& own = own_thread();
  child = O::to_slot(
      order_.create_async(known_in(parent), creations_.number_of(at, own.creations), own.access.stock));
}

template <Order O, class R>
void ParallelDetector<O, R>::task_ended(events::Slot task) {
  const Task ended = known_in(task);
  if (!references_.any_tasks()) return;
  const TaskNumber number = number_of(ended, thread());
  // What was not freed was not destroyed.
  for (const auto& race : references_.end(number)) report(race.earlier, number, race.kind, race.place);
}

template <Order O, class R>
void ParallelDetector<O, R>::task_forgotten(events::Slot task) {
  if (task != nullptr) order_.forget(O::task_in(task), thread().stock);
}

template <Order O, class R>
void ParallelDetector<O, R>::finish_begun(events::Slot owner, events::Slot finish,
                                          events::SourceSite /*at*/) {
  finish = O::to_slot(order_.begin_finish(known_in(owner), thread().stock));
}

template <Order O, class R>
void ParallelDetector<O, R>::finish_ended(events::Slot owner, events::Slot finish) {
  ANYORDER_CHECK(finish != nullptr, "an event names a finish whose beginning was not heard");
  order_.end_finish(known_in(owner), O::finish_in(finish), thread().stock);
  finish = nullptr;
}

template <Order O, class R>
void ParallelDetector<O, R>::isolated_entered(events::Slot /*task*/, std::span<const void* const> /*objects*/,
                                              events::SourceSite at) {
  tell_unsupported("isolated", at);
}

template <Order O, class R>
void ParallelDetector<O, R>::tell_unsupported(const char* construct, events::SourceSite at) {
  findings_.add(history::not_accepted(name_, construct, at));
}

template <Order O, class R>
void ParallelDetector<O, R>::mapped(std::uintptr_t address, std::size_t bytes) {
  forget(address, bytes);
  if (!history_.admit(address, bytes)) findings_.add(history::shared_cells());
}

template <Order O, class R>
void ParallelDetector<O, R>::unmapped(std::uintptr_t address, std::size_t bytes) {
  told_.forget(address, bytes);
  references_.forget(address, bytes);
  history_.release(address, bytes);
}

template <Order O, class R>
void ParallelDetector<O, R>::release_reference(void* state, const void* counter) {
  const Task task = O::task_in(state);
  Thread& own = thread();
  const Step at = locate(task, own);
  references_.drop(order_.task_of(at), counter, at);
  order_.next_step(task, own.stock);  // what comes now is not covered by the drop
}

template <Order O, class R>
void ParallelDetector<O, R>::begin_destruction(void* state, const void* counter, void* ended) {
  Thread& own = thread();
  const TaskNumber task = number_of(O::task_in(state), own);
  references_.begin_destruction(task, counter);
  if (ended == nullptr) return;
  const Step end = locate(O::task_in(ended), own);
  references_.add_to_destruction(task, end);
}

template <Order O, class R>
void ParallelDetector<O, R>::end_destruction(void* state) {
  const Task task = O::task_in(state);
  Thread& own = thread();
  // What comes now is not exempt.
  if (references_.end_destruction(number_of(task, own))) order_.next_step(task, own.stock);
}

template <Order O, class R>
void ParallelDetector<O, R>::release_last_reference(void* state, const void* counter) {
  if (!references_.any_counters()) return;
  const Task task = O::task_in(state);
  Thread& own = thread();
  const Step at = locate(task, own);
  references_.drop_last(order_.task_of(at), counter, at.scope_id());
}

template <Order O, class R>
void ParallelDetector<O, R>::retire(void* state, std::uintptr_t address, std::size_t bytes,
                                    std::uintptr_t site) {
  write(state, address, bytes, site);
  if (!references_.any_tasks()) return;
  references_.freed(number_of(O::task_in(state), thread()), address, bytes);
}

template <Order O, class R>
void ParallelDetector<O, R>::judge(std::span<const Conflict> conflicts, Task task, findings::AccessKind kind,
                                   PlaceId place, Thread& own) {
  if (orders_missing_.load(std::memory_order_relaxed)) return;
  const TaskNumber number = number_of(task, own);
  for (const Conflict& conflict : conflicts) {
    const Step earlier = order_.step(conflict.step);
    const auto precedes = [&](const Step& drop) { return order_.precedes(earlier, drop, own.known); };
    const auto verdict = references_.judge(number, {conflict, kind, place}, precedes);
    if (verdict == References<Step>::Verdict::race) report(conflict, number, kind, place);
  }
}

template <Order O, class R>
void ParallelDetector<O, R>::report(const Conflict& earlier, TaskNumber task, findings::AccessKind kind,
                                    PlaceId place) {
  using findings::AccessKind;
  if (!told_.add({earlier.begin, earlier.end, earlier.place, place, earlier.kind == AccessKind::write,
                  kind == AccessKind::write})) {
    return;
  }
  findings_.add(
      findings::race_between(earlier.begin, earlier.end,
                             describe(earlier.kind, order_.task_of(order_.step(earlier.step)), earlier.place),
                             describe(kind, task, place)));
}

template <Order O, class R>
findings::OriginatedAccess ParallelDetector<O, R>::describe(findings::AccessKind kind, TaskNumber task,
                                                            PlaceId place) const {
  using Creation = std::optional<std::pair<findings::Frame, std::uint64_t>>;
  return {kind, place, findings::origin_of(task, [&](std::uint64_t at) {
            const auto number = static_cast<TaskNumber>(at);
            const std::uint32_t site = order_.created_at(number);
            if (site == 0) return Creation();  // nobody created a root
            return Creation({history::frame_of(creations_[site]), order_.creator_of(number)});
          })};
}

template <Order O, class R>
findings::Coverage ParallelDetector<O, R>::coverage() {
  admit_process();
  return findings::Coverage::all_schedules;
}

}  // namespace anyorder::detect::shared_history
