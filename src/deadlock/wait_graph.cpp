#include "deadlock/wait_graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "support/check.hpp"

namespace anyorder::deadlock {
namespace {

std::atomic<unsigned> threads{0};
constinit thread_local unsigned t_shard = ~0U;

[[gnu::noinline]] unsigned shard_of_this_thread(unsigned shards) noexcept {
  if (t_shard == ~0U) t_shard = threads.fetch_add(1, std::memory_order_relaxed);
  return t_shard % shards;
}

}  // namespace

void WaitGraph::enter(Wait& wait) {
  // Before the wait is in here: who enters later than a search of it then sees the count.
  if (wait.is_strangers) strangers_.fetch_add(1, std::memory_order_seq_cst);
  wait.shard = shard_of_this_thread(kShards);
  Shard& shard = shards_[wait.shard];
  const std::lock_guard lock(shard.lock);
  wait.next = std::exchange(shard.first, &wait);
  if (wait.next != nullptr) wait.next->previous = &wait;
  wait.waiter->wait = &wait;
}

void WaitGraph::leave(Wait& wait) {
  {
    Shard& shard = shards_[wait.shard];
    const std::lock_guard lock(shard.lock);
    if (wait.next != nullptr) wait.next->previous = wait.previous;
    (wait.previous != nullptr ? wait.previous->next : shard.first) = wait.next;
    wait.waiter->wait = nullptr;
  }
  if (wait.is_strangers) strangers_.fetch_sub(1, std::memory_order_seq_cst);
}

void WaitGraph::lock_all() {
  for (Shard& shard : shards_) shard.lock.lock();
}

void WaitGraph::unlock_all() {
  for (Shard& shard : shards_) shard.lock.unlock();
}

// The wait whose edge leads back to the task of `from`, with the way to it in came_from; null: there is none.
Wait* WaitGraph::search(Wait& from) {
  const std::uint64_t number = searches_.fetch_add(1, std::memory_order_relaxed) + 1;
  // Of the tasks that wait, by the finish that joins them; made when it is first needed.
  std::unordered_multimap<const void*, Wait*> members;
  bool has_members = false;
  std::vector<Wait*> open{&from};
  from.visited_by = number;
  from.came_from = nullptr;
  const auto visit = [&](Wait* next, Wait& by) {
    if (next == nullptr || next->cycle != nullptr || next->visited_by == number) return;
    next->visited_by = number;
    next->came_from = &by;
    open.push_back(next);
  };
  while (!open.empty()) {
    Wait& wait = *open.back();
    open.pop_back();
    if (wait.target != nullptr) {
      if (wait.target == from.waiter) return &wait;
      visit(wait.target->wait, wait);
      continue;
    }
    if (from.joined_by == wait.finish) return &wait;
    if (!std::exchange(has_members, true)) {
      for (const Shard& shard : shards_) {
        for (Wait* other = shard.first; other != nullptr; other = other->next) {
          members.emplace(other->joined_by, other);
        }
      }
    }
    const auto [first, last] = members.equal_range(wait.finish);
    for (auto member = first; member != last; ++member) visit(member->second, wait);
  }
  return nullptr;
}

std::uint64_t WaitGraph::given_number(WaitNode& node) {
  if (node.number == 0) node.number = ++last_number_;
  return node.number;
}

Cycle WaitGraph::cycle_from(const Wait& last) {
  Cycle cycle;
  for (const Wait* wait = &last; wait != nullptr; wait = wait->came_from) {
    cycle.push_back({given_number(*wait->waiter), wait->target == nullptr, wait->waits_at, wait->created_at});
  }
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

bool WaitGraph::may_stand(Wait& wait) {
  if (!every_get_ && !wait.is_strangers && strangers_.load(std::memory_order_seq_cst) == 0) return true;
  const std::lock_guard lock(mutex_);
  lock_all();
  // The end of a finish may close several cycles at once.
  while (wait.cycle == nullptr) {
    Wait* const last = search(wait);
    if (last == nullptr) break;
    Wait* victim = &wait;
    if (!wait.is_strangers) {
      victim = last;
      while (victim != nullptr && !victim->is_strangers) victim = victim->came_from;
      ANYORDER_CHECK(victim != nullptr, "a cycle of waits has one for an unknown task");
    }
    victim->cycle = std::make_unique<Cycle>(cycle_from(*last));
    if (victim->stands) {
      victim->stands = false;
      std::erase(standing_, victim);
      resume_(victim->strand);
    }
  }
  unlock_all();
  return wait.cycle == nullptr;
}

void WaitGraph::target_ended(const WaitNode& target) {
  const std::lock_guard lock(mutex_);
  std::erase_if(standing_, [&](Wait* wait) {
    if (wait->target != &target) return false;
    wait->stands = false;
    resume_(wait->strand);
    return true;
  });
}

}  // namespace anyorder::deadlock
