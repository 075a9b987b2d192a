// Regions: posts, and waits for all of them or for one. A posted task is a future whose handle the region
// has; to join it is a get.

#include <exception>
#include <utility>
#include <vector>

#include "anyorder/region.hpp"
#include "events/running_task.hpp"
#include "runtime/controlled.hpp"
#include "runtime/entry_points.hpp"
#include "runtime/followed.hpp"
#include "runtime/misuse.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/thread_root.hpp"
#include "runtime/tool.hpp"
#include "support/check.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::detail {

using runtime::attached_listener;
using runtime::Worker;

namespace {

class Locked {
 public:
  explicit Locked(RegionState& region) noexcept : locked_(region.locked) {
    for (support::ShortWait wait; locked_.exchange(true, std::memory_order_acquire);) wait();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool>& locked_;
};

// A list whose links are L.
template <RegionLink RegionTask::*L>
void append(RegionList& to, RegionList& from) noexcept {
  if (from.first == nullptr) return;
  (from.first->*L).previous = to.last;
  (to.last == nullptr ? to.first : (to.last->*L).next) = from.first;
  to.last = from.last;
  from = {};
}
template <RegionLink RegionTask::*L>
void append(RegionList& to, RegionTask& task) noexcept {
  RegionList one{&task, &task};
  append<L>(to, one);
}
template <RegionLink RegionTask::*L>
void remove(RegionList& from, RegionTask& task) noexcept {
  const RegionLink link = std::exchange(task.*L, {});
  (link.previous == nullptr ? from.first : (link.previous->*L).next) = link.next;
  (link.next == nullptr ? from.last : (link.next->*L).previous) = link.previous;
}

// The task has ended: it is no longer of its owner, and what it has left is.
void take_out(RegionOwner& owner, RegionTask& task) noexcept {
  remove<&RegionTask::posted>(owner.posted, task);
  owner.count += task.own.count;
  --owner.count;
  const Locked lock(*task.region);
  remove<&RegionTask::complete>(owner.complete, task);
  for (RegionTask* left = task.own.posted.first; left != nullptr; left = left->posted.next)
    left->owner = &owner;
  append<&RegionTask::posted>(owner.posted, task.own.posted);
  append<&RegionTask::complete>(owner.complete, task.own.complete);
}

enum class Handlers : bool { called, dropped };

// Throws what the task or its handler has thrown, if handlers are called.
void join(RegionOwner& owner, RegionTask& task, const source_site& site, Handlers handlers,
          std::size_t among = 1) {
  Strand& strand = *runtime::this_worker()->strand;
  if (runtime::followed) [[unlikely]] {
    runtime::await_followed(strand, task, site);
  } else {
    runtime::await(strand, task);
  }
  take_out(owner, task);
  struct Release {
    RegionTask& task;
    ~Release() { release(task); }
  } const end{task};
  const bool called = handlers == Handlers::called;
  if (task.error != nullptr) {
    const std::exception_ptr error = task.error;
    task.ops->handle(task, false);
    if (!called) return;
    task.error_taken.store(true, std::memory_order_release);
    std::rethrow_exception(error);
  }
  if (attached_listener != nullptr && called && task.has_handler && among > 1) [[unlikely]] {
    struct Told {
      std::size_t among;
      source_site posted_at;
      std::uint64_t begun = attached_listener->result_handler_begun();
      ~Told() { attached_listener->result_handler_ended(begun, among, runtime::to_event(posted_at)); }
    } const told{among, task.site};
    task.ops->handle(task, true);
  } else {
    task.ops->handle(task, called);
  }
}

// Returns when one is complete.
void stand(RegionState& region, RegionOwner& owner) {
  Strand& strand = *runtime::this_worker()->strand;
  struct Wait {
    RegionState& region;
    RegionOwner& owner;
    Strand& strand;
  } wait{region, owner, strand};
  // It must not run above the waiter, which may go on before it has ended. But it is as well begun.
  Task* const first = runtime::claim_here(*owner.posted.last) ? owner.posted.last : nullptr;
  runtime::suspend(
      strand,
      [](void* argument) noexcept {
        Wait& self = *static_cast<Wait*>(argument);
        bool go_on = false;
        {
          const Locked lock(self.region);
          go_on = self.owner.complete.first != nullptr;
          if (!go_on) self.owner.waiter = &self.strand;
        }
        if (go_on) runtime::make_ready(self.strand);
      },
      &wait, first);
}

RegionTask& complete_one(RegionState& region, RegionOwner& owner) {
  for (;;) {
    {
      const Locked lock(region);
      if (RegionTask* const task = owner.complete.first) return *task;
    }
    stand(region, owner);
  }
}

void tell_choice_begun(RegionOwner& owner, const source_site& site) {
  const events::InsideTool inside;
  std::vector<void*> among;
  for (const RegionTask* task = owner.posted.first; task != nullptr; task = task->posted.next) {
    among.push_back(task->tool);
  }
  attached_listener->choice_begun(runtime::this_worker()->strand->task->tool, among, runtime::to_event(site));
}

RegionTask& choose(RegionState& region, RegionOwner& owner, const source_site& site, std::size_t among) {
  if (attached_listener != nullptr) [[unlikely]]
    tell_choice_begun(owner, site);
  runtime::Controlled* const run = runtime::this_worker()->controlled;
  RegionTask& chosen = run != nullptr ? run->await_choice(owner, site) : complete_one(region, owner);
  if (attached_listener != nullptr) [[unlikely]] {
    attached_listener->choice_made(runtime::this_worker()->strand->task->tool, &region, among,
                                   runtime::to_event(site));
  }
  return chosen;
}

void join_all(RegionOwner& owner, const source_site& site, Handlers handlers) {
  std::exception_ptr first;
  while (owner.count != 0) {
    try {
      join(owner, *owner.posted.first, site, handlers);
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace

RegionState::RegionState(source_site made_at)
    : maker(runtime::enter().strand->task), exceptions(std::uncaught_exceptions()), site(made_at) {}

RegionOwner& open(RegionState& region, const char* operation, source_site site) {
  Worker& worker = runtime::enter();
  if (worker.isolated != nullptr) [[unlikely]]
    runtime::throw_inside_isolated(site, operation, *worker.isolated);
  Task* const task = worker.strand->task;
  if (task == region.maker) return region.own;
  if (task->ops->handle != nullptr) {
    auto& posted = static_cast<RegionTask&>(*task);
    if (posted.region == &region) return posted.own;
  }
  runtime::throw_misuse(site,
                        std::string(operation) + " on the region of another task (made at " +
                            runtime::text_of(region.site) +
                            "): it is for the task that made it, and for those that are posted into it");
}

void post(RegionState& region, RegionOwner& owner, RegionTask& task) noexcept {
  task.region = &region;
  task.owner = &owner;
  append<&RegionTask::posted>(owner.posted, task);
  ++owner.count;
  Worker& worker = *runtime::this_worker();
  runtime::make_child(*worker.strand, task, nullptr);
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->posted(task.tool, &region);
  runtime::let_run(worker, task);
}

void complete(RegionTask& task) noexcept {
  Strand* waiter = nullptr;
  {
    const Locked lock(*task.region);
    append<&RegionTask::complete>(task.owner->complete, task);
    waiter = std::exchange(task.owner->waiter, nullptr);
  }
  if (waiter != nullptr) runtime::make_ready(*waiter);
}

void await_all(RegionState& region, source_site site) {
  join_all(open(region, "await", site), site, Handlers::called);
}

bool await_one(RegionState& region, source_site site) {
  RegionOwner& owner = open(region, "await_one", site);
  const std::size_t among = owner.count;
  if (among == 0) return false;
  RegionTask& task = among == 1 ? *owner.posted.first : choose(region, owner, site, among);
  join(owner, task, site, Handlers::called, among);
  return true;
}

void close(RegionState& region) {
  if (region.own.count == 0) return;
  ANYORDER_CHECK(runtime::enter().strand->task == region.maker, "a region is destroyed by its maker");
  const bool unwinding = std::uncaught_exceptions() > region.exceptions;
  join_all(region.own, region.site, unwinding ? Handlers::dropped : Handlers::called);
}

}  // namespace anyorder::detail
