// Reference counts: what a task does to a shared object when it has dropped the last reference comes, on
// every schedule, after what the others did before they dropped theirs. But only that: another task may be
// the last on another schedule, so no order of tasks knows of it, and conflicts are looked at here before
// they are told.
//
// Contract: any thread. What is asked about a task is asked by the thread that runs it. Without counters
// there is nothing to say about the last of them, and without tasks nothing about frees and ends.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/shared_history/conflict.hpp"
#include "detect/shared_history/ids.hpp"
#include "support/check.hpp"

namespace anyorder::detect::shared_history {

template <class Step>
class References {
 public:
  // The last steps that had the reference: in each scope the last one, by scope.
  using Drops = std::unordered_map<std::uint32_t, Step>;

  // An access of a task, and what it conflicts with.
  struct Pending {
    Conflict earlier;
    findings::AccessKind kind;
    PlaceId place;
  };

  enum class Verdict : std::uint8_t {
    race,
    exempt,   // part of a destruction that comes after
    pending,  // none if the task frees the memory
  };

  // Whether some counter has lost a reference; whether there are tasks of which something is known.
  [[nodiscard]] bool any_counters() const noexcept { return counters_.load(std::memory_order_relaxed) != 0; }
  [[nodiscard]] bool any_tasks() const noexcept {
    return tasks_with_references_.load(std::memory_order_relaxed) != 0;
  }

  // If the task is destroying something, then it drops what that had: the others dropped it with theirs.
  void drop(TaskNumber task, const void* counter, const Step& at);
  // The counter is at its end, and until end_destruction the task destroys what was shared. Nests.
  void begin_destruction(TaskNumber task, const void* counter);
  // A task that had a reference until its end.
  void add_to_destruction(TaskNumber task, const Step& end);
  // Whether something was exempt meanwhile.
  [[nodiscard]] bool end_destruction(TaskNumber task);
  // Likewise, of counters whose end is known by the free that follows. `scope` is that of the task's own
  // drop.
  void drop_last(TaskNumber task, const void* counter, std::uint32_t scope);

  // The task's conflict with `earlier`. precedes(step): `earlier` precedes it or is it.
  template <class Precedes>
  [[nodiscard]] Verdict judge(TaskNumber task, const Pending& race, Precedes precedes) {
    if (!any_tasks()) return Verdict::race;
    const std::lock_guard hold(mutex_);
    const auto running = running_.find(task);
    if (running == running_.end()) return Verdict::race;
    const auto covers = [&](const Drops& drops) {
      return std::any_of(drops.begin(), drops.end(), [&](const auto& drop) { return precedes(drop.second); });
    };
    for (const Drops& drops : running->second.destroying) {
      if (covers(drops)) return Verdict::exempt;
    }
    for (const auto& [address, counter] : running->second.counters) {
      if (!covers(counter.drops)) continue;
      running->second.pending.push_back(race);
      return Verdict::pending;
    }
    return Verdict::race;
  }
  // The task has freed the memory.
  void freed(TaskNumber task, std::uintptr_t address, std::size_t bytes);
  // The task has ended: what is left are races.
  [[nodiscard]] std::vector<Pending> end(TaskNumber task);

  // The memory will be another location.
  void forget(std::uintptr_t address, std::size_t bytes);

 private:
  // A counter that a task found to be at its end: what it counted is being destroyed, until it was freed and
  // the task turns to another counter.
  struct EndedCounter {
    Drops drops;
    bool freed = false;
  };
  // Of a task that runs.
  struct Running {
    std::vector<Drops> destroying{};                    // innermost last
    std::map<std::uintptr_t, EndedCounter> counters{};  // by address
    std::vector<Pending> pending{};
  };

  static void add(Drops& drops, const Step& at);
  static void add_all(Drops& drops, const Drops& more);
  [[nodiscard]] Drops take(const void* counter);
  [[nodiscard]] Running& running(TaskNumber task);
  void end_destructions_of(TaskNumber task);
  void remove_if_idle(TaskNumber task);

  std::mutex mutex_;                         // guards all below, but for looks at the two counters
  std::map<std::uintptr_t, Drops> dropped_;  // by the counter's address
  std::unordered_map<TaskNumber, Running> running_;
  std::atomic<std::size_t> counters_{0};
  std::atomic<std::size_t> tasks_with_references_{0};
};

template <class Step>
void References<Step>::add(Drops& drops, const Step& at) {
  const auto [known, is_new] = drops.try_emplace(at.scope_id(), at);
  if (!is_new && known->second.position_in_scope() < at.position_in_scope()) known->second = at;
}

template <class Step>
void References<Step>::add_all(Drops& drops, const Drops& more) {
  for (const auto& [scope, at] : more) add(drops, at);
}

template <class Step>
void References<Step>::drop(TaskNumber task, const void* counter, const Step& at) {
  const std::lock_guard hold(mutex_);
  end_destructions_of(task);
  Drops& drops = dropped_[reinterpret_cast<std::uintptr_t>(counter)];
  add(drops, at);
  if (const auto found = running_.find(task); found != running_.end()) {
    for (const Drops& destroyed : found->second.destroying) add_all(drops, destroyed);
    for (const auto& [address, destroyed] : found->second.counters) add_all(drops, destroyed.drops);
  }
  counters_.store(dropped_.size(), std::memory_order_relaxed);
}

template <class Step>
typename References<Step>::Drops References<Step>::take(const void* counter) {
  const auto at = dropped_.find(reinterpret_cast<std::uintptr_t>(counter));
  if (at == dropped_.end()) return {};
  Drops taken = std::move(at->second);
  dropped_.erase(at);
  counters_.store(dropped_.size(), std::memory_order_relaxed);
  return taken;
}

template <class Step>
typename References<Step>::Running& References<Step>::running(TaskNumber task) {
  Running& found = running_[task];
  tasks_with_references_.store(running_.size(), std::memory_order_relaxed);
  return found;
}

template <class Step>
void References<Step>::remove_if_idle(TaskNumber task) {
  const auto found = running_.find(task);
  const Running& running = found->second;
  if (!running.destroying.empty() || !running.counters.empty() || !running.pending.empty()) return;
  running_.erase(found);
  tasks_with_references_.store(running_.size(), std::memory_order_relaxed);
}

template <class Step>
void References<Step>::begin_destruction(TaskNumber task, const void* counter) {
  const std::lock_guard hold(mutex_);
  running(task).destroying.push_back(take(counter));
}

template <class Step>
void References<Step>::add_to_destruction(TaskNumber task, const Step& end) {
  const std::lock_guard hold(mutex_);
  add(running(task).destroying.back(), end);
}

template <class Step>
bool References<Step>::end_destruction(TaskNumber task) {
  const std::lock_guard hold(mutex_);
  std::vector<Drops>& destroying = running(task).destroying;
  ANYORDER_CHECK(!destroying.empty(), "a destruction ends twice");
  const bool exempted = !destroying.back().empty();
  destroying.pop_back();
  remove_if_idle(task);
  return exempted;
}

template <class Step>
void References<Step>::drop_last(TaskNumber task, const void* counter, std::uint32_t scope) {
  const std::lock_guard hold(mutex_);
  end_destructions_of(task);
  Drops drops = take(counter);
  drops.erase(scope);
  if (!drops.empty()) running(task).counters[reinterpret_cast<std::uintptr_t>(counter)] = {std::move(drops)};
}

// Of what was freed, when the task turns to another counter.
template <class Step>
void References<Step>::end_destructions_of(TaskNumber task) {
  const auto found = running_.find(task);
  if (found == running_.end()) return;
  std::erase_if(found->second.counters, [](const auto& counter) { return counter.second.freed; });
  remove_if_idle(task);
}

template <class Step>
void References<Step>::freed(TaskNumber task, std::uintptr_t address, std::size_t bytes) {
  const std::lock_guard hold(mutex_);
  const auto found = running_.find(task);
  if (found == running_.end()) return;
  Running& running = found->second;
  std::erase_if(running.pending, [&](const Pending& race) {
    return race.earlier.begin >= address && race.earlier.end <= address + bytes;
  });
  const auto end = running.counters.lower_bound(address + bytes);
  for (auto at = running.counters.lower_bound(address); at != end; ++at) at->second.freed = true;
}

template <class Step>
auto References<Step>::end(TaskNumber task) -> std::vector<Pending> {
  const std::lock_guard hold(mutex_);
  const auto found = running_.find(task);
  if (found == running_.end()) return {};
  std::vector<Pending> left = std::move(found->second.pending);
  running_.erase(found);
  tasks_with_references_.store(running_.size(), std::memory_order_relaxed);
  return left;
}

template <class Step>
void References<Step>::forget(std::uintptr_t address, std::size_t bytes) {
  if (!any_counters()) return;
  const std::lock_guard hold(mutex_);
  auto at = dropped_.lower_bound(address);
  while (at != dropped_.end() && at->first - address < bytes) at = dropped_.erase(at);
  counters_.store(dropped_.size(), std::memory_order_relaxed);
}

}  // namespace anyorder::detect::shared_history
