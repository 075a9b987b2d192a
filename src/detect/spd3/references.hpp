// Reference counts: what a task does to a shared object when it has dropped the last reference comes, on
// every schedule, after what the others did before they dropped theirs. But only that: another task may be
// the last on another schedule, so the tree knows nothing of it, and conflicts are looked at here before they
// are told.
//
// Contract: any thread. What is asked about a task is asked by the thread that runs it. Without shared
// objects each call but drop() is one look at a counter.
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

#include "detect/spd3/access_history.hpp"
#include "detect/spd3/ids.hpp"
#include "detect/spd3/tree.hpp"

namespace anyorder::detect::spd3 {

class References {
 public:
  // The last steps that had the reference: in each scope the last one, by scope.
  using Drops = std::unordered_map<NodeId, Step>;

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

  // If the task was the last that had a reference to something else, then what it drops now is what that had:
  // the others dropped it with theirs.
  void drop(NodeId task, const void* counter, const Step& at);
  // The counter is at its end, and until end_destruction the task destroys what was shared. Nests.
  void begin_destruction(NodeId task, const void* counter);
  // A task that had a reference until its end.
  void add_to_destruction(NodeId task, const Step& end);
  // Whether something was exempt meanwhile.
  [[nodiscard]] bool end_destruction(NodeId task);
  // Likewise, of counters whose end is known by the free that follows.
  void drop_last(NodeId task, const void* counter);

  // The task's conflict with `earlier`. precedes(step): `earlier` precedes it or is it.
  template <class Precedes>
  [[nodiscard]] Verdict judge(NodeId task, const Pending& race, Precedes precedes) {
    if (tasks_with_references_.load(std::memory_order_relaxed) == 0) return Verdict::race;
    const std::lock_guard hold(mutex_);
    const auto running = running_.find(task);
    if (running == running_.end()) return Verdict::race;
    const auto covers = [&](const Drops& drops) {
      return std::any_of(drops.begin(), drops.end(), [&](const auto& drop) { return precedes(drop.second); });
    };
    for (const Drops& drops : running->second.destroying) {
      if (covers(drops)) return Verdict::exempt;
    }
    if (!covers(running->second.last_of)) return Verdict::race;
    running->second.pending.push_back(race);
    return Verdict::pending;
  }
  // The task has freed the memory.
  void freed(NodeId task, std::uintptr_t address, std::size_t bytes);
  // The task has ended: what is left are races.
  [[nodiscard]] std::vector<Pending> end(NodeId task);

  // The memory will be another location.
  void forget(std::uintptr_t address, std::size_t bytes);

 private:
  // Of a task that runs.
  struct Running {
    std::vector<Drops> destroying{};  // innermost last
    Drops last_of{};
    std::vector<Pending> pending{};
  };

  static void add(Drops& drops, const Step& at);
  static void add_all(Drops& drops, const Drops& more);
  [[nodiscard]] Drops take(const void* counter);
  [[nodiscard]] Running& running(NodeId task);
  void remove_if_idle(NodeId task);

  std::mutex mutex_;                         // guards all below, but for looks at the two counters
  std::map<std::uintptr_t, Drops> dropped_;  // by the counter's address
  std::unordered_map<NodeId, Running> running_;
  std::atomic<std::size_t> counters_{0};
  std::atomic<std::size_t> tasks_with_references_{0};
};

}  // namespace anyorder::detect::spd3
