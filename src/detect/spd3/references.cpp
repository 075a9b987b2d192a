#include "detect/spd3/references.hpp"

#include "support/check.hpp"

namespace anyorder::detect::spd3 {

void References::add(Drops& drops, const Step& at) {
  const auto [known, is_new] = drops.try_emplace(at.scope, at);
  if (!is_new && known->second.position < at.position) known->second = at;
}

void References::add_all(Drops& drops, const Drops& more) {
  for (const auto& [scope, at] : more) add(drops, at);
}

void References::drop(NodeId task, const void* counter, const Step& at) {
  const std::lock_guard hold(mutex_);
  Drops& drops = dropped_[reinterpret_cast<std::uintptr_t>(counter)];
  add(drops, at);
  if (const auto found = running_.find(task); found != running_.end()) {
    for (const Drops& destroyed : found->second.destroying) add_all(drops, destroyed);
    add_all(drops, found->second.last_of);
  }
  counters_.store(dropped_.size(), std::memory_order_relaxed);
}

References::Drops References::take(const void* counter) {
  const auto at = dropped_.find(reinterpret_cast<std::uintptr_t>(counter));
  if (at == dropped_.end()) return {};
  Drops taken = std::move(at->second);
  dropped_.erase(at);
  counters_.store(dropped_.size(), std::memory_order_relaxed);
  return taken;
}

References::Running& References::running(NodeId task) {
  Running& found = running_[task];
  tasks_with_references_.store(running_.size(), std::memory_order_relaxed);
  return found;
}

void References::remove_if_idle(NodeId task) {
  const auto found = running_.find(task);
  const Running& running = found->second;
  if (!running.destroying.empty() || !running.last_of.empty() || !running.pending.empty()) return;
  running_.erase(found);
  tasks_with_references_.store(running_.size(), std::memory_order_relaxed);
}

void References::begin_destruction(NodeId task, const void* counter) {
  const std::lock_guard hold(mutex_);
  running(task).destroying.push_back(take(counter));
}

void References::add_to_destruction(NodeId task, const Step& end) {
  const std::lock_guard hold(mutex_);
  add(running(task).destroying.back(), end);
}

bool References::end_destruction(NodeId task) {
  const std::lock_guard hold(mutex_);
  std::vector<Drops>& destroying = running(task).destroying;
  ANYORDER_CHECK(!destroying.empty(), "a destruction ends twice");
  const bool exempted = !destroying.back().empty();
  destroying.pop_back();
  remove_if_idle(task);
  return exempted;
}

void References::drop_last(NodeId task, const void* counter) {
  if (counters_.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard hold(mutex_);
  const Drops drops = take(counter);
  if (!drops.empty()) add_all(running(task).last_of, drops);
}

void References::freed(NodeId task, std::uintptr_t address, std::size_t bytes) {
  if (tasks_with_references_.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard hold(mutex_);
  const auto found = running_.find(task);
  if (found == running_.end()) return;
  std::erase_if(found->second.pending, [&](const Pending& race) {
    return race.earlier.begin >= address && race.earlier.end <= address + bytes;
  });
}

std::vector<References::Pending> References::end(NodeId task) {
  if (tasks_with_references_.load(std::memory_order_relaxed) == 0) return {};
  const std::lock_guard hold(mutex_);
  const auto found = running_.find(task);
  if (found == running_.end()) return {};
  std::vector<Pending> left = std::move(found->second.pending);
  running_.erase(found);
  tasks_with_references_.store(running_.size(), std::memory_order_relaxed);
  return left;
}

void References::forget(std::uintptr_t address, std::size_t bytes) {
  if (counters_.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard hold(mutex_);
  auto at = dropped_.lower_bound(address);
  while (at != dropped_.end() && at->first - address < bytes) at = dropped_.erase(at);
  counters_.store(dropped_.size(), std::memory_order_relaxed);
}

}  // namespace anyorder::detect::spd3
