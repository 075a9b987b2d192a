// Which tasks have dropped a reference that a counter counts, and when, until the counter is at its end.
//
// Contract: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "detect/history/ids.hpp"

namespace anyorder::detect::history {

template <class Moment>
class ReferenceDrops {
 public:
  struct Drop {
    TaskId task;
    Moment at;
    bool at_its_end = false;  // the task has ended, and had the reference until then: without a moment
  };
  // The last drop of each task, by ascending tasks.
  class Drops {
   public:
    void add(const Drop& drop) {
      if (drops_.empty() || drops_.back().task < drop.task) {
        drops_.push_back(drop);
        return;
      }
      const auto known = find(drop.task);
      if (known->task != drop.task) {
        drops_.insert(known, drop);
      } else if (!known->at_its_end && (drop.at_its_end || known->at < drop.at)) {
        *known = drop;
      }
    }
    void add(const Drops& more) {
      for (const Drop& drop : more.drops_) add(drop);
    }
    void remove(TaskId task) {
      if (const auto known = find(task); known != drops_.end() && known->task == task) drops_.erase(known);
    }
    [[nodiscard]] bool empty() const noexcept { return drops_.empty(); }
    [[nodiscard]] bool is_by(TaskId task) {
      const auto known = find(task);
      return known != drops_.end() && known->task == task;
    }
    [[nodiscard]] auto begin() const noexcept { return drops_.begin(); }
    [[nodiscard]] auto end() const noexcept { return drops_.end(); }

   private:
    [[nodiscard]] auto find(TaskId task) {
      return std::lower_bound(drops_.begin(), drops_.end(), task,
                              [](const Drop& drop, TaskId sought) { return drop.task < sought; });
    }
    std::vector<Drop> drops_;
  };

  // Until the counter is at its end.
  [[nodiscard]] Drops& of(const void* counter) { return dropped_[reinterpret_cast<std::uintptr_t>(counter)]; }

  // The counter is at its end: its memory may become another one's.
  [[nodiscard]] Drops take(const void* counter) {
    const auto at = dropped_.find(reinterpret_cast<std::uintptr_t>(counter));
    if (at == dropped_.end()) return {};
    Drops taken = std::move(at->second);
    dropped_.erase(at);
    return taken;
  }

  void forget(std::uintptr_t address, std::size_t bytes) {
    if (!dropped_.empty()) [[unlikely]]
      forget_some(address, bytes);
  }

 private:
  [[gnu::noinline]] void forget_some(std::uintptr_t address, std::size_t bytes) {
    auto at = dropped_.lower_bound(address);
    while (at != dropped_.end() && at->first - address < bytes) at = dropped_.erase(at);
  }

  std::map<std::uintptr_t, Drops> dropped_;  // by the counter's address
};

}  // namespace anyorder::detect::history
