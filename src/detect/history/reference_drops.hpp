// Which tasks have dropped a reference that a counter counts, until the counter is at its end.
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

class ReferenceDrops {
 public:
  using Tasks = std::vector<TaskId>;  // ascending, each once

  void add(const void* counter, TaskId task) {
    Tasks& tasks = dropped_[reinterpret_cast<std::uintptr_t>(counter)];
    if (tasks.empty() || tasks.back() < task) {
      tasks.push_back(task);
      return;
    }
    const auto at = std::lower_bound(tasks.begin(), tasks.end(), task);
    if (*at != task) tasks.insert(at, task);
  }

  // The counter is at its end: its memory may become another one's.
  [[nodiscard]] Tasks take(const void* counter) {
    const auto at = dropped_.find(reinterpret_cast<std::uintptr_t>(counter));
    if (at == dropped_.end()) return {};
    Tasks taken = std::move(at->second);
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

  std::map<std::uintptr_t, Tasks> dropped_;  // by the counter's address
};

}  // namespace anyorder::detect::history
