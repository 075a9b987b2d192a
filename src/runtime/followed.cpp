#include "runtime/followed.hpp"

#include <cstdlib>

#include "deadlock/memory.hpp"
#include "runtime/configuration.hpp"
#include "runtime/finish.hpp"
#include "runtime/join_errors.hpp"

namespace anyorder::runtime {

using detail::FinishScope;
using detail::FutureTask;
using detail::kEnded;
using detail::kStrangers;
using detail::Task;
using detail::TaskKind;

namespace {

bool has_ended(const FutureTask& future) noexcept {
  return future.status.load(std::memory_order_acquire) == kEnded;
}

// Nobody can wait for what a thread does outside all tasks: such a wait is on no cycle.
bool can_be_waited_for(const Task& task) noexcept { return task.ops->kind != TaskKind::root; }

void has_learnt(Task& task) noexcept {
  if (task.ops->kind == TaskKind::loop) static_cast<detail::LoopTask&>(task).learnt = true;
}

deadlock::Wait wait_of(Strand& strand, const source_site& at) {
  deadlock::Wait wait;
  wait.waiter = &join_policy_in_force->node(strand.task->joins);
  wait.joined_by = strand.task->finish;
  wait.waits_at = to_event(at);
  wait.created_at = to_event(strand.task->site);
  wait.strand = &strand;
  return wait;
}

// In the graph while it lives.
class Entered {
 public:
  explicit Entered(deadlock::Wait& wait) : wait_(wait) { join_policy_in_force->graph().enter(wait); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered() { join_policy_in_force->graph().leave(wait_); }

 private:
  deadlock::Wait& wait_;
};

// Stands until the future has ended or a cycle is found.
void stand(Strand& strand, FutureTask& future, deadlock::Wait& wait, Task* first) {
  struct Standing {
    deadlock::Wait* wait;
    FutureTask* future;
  } standing{&wait, &future};
  suspend(
      strand,
      [](void* argument) noexcept {
        const Standing& self = *static_cast<Standing*>(argument);
        FutureTask& target = *self.future;
        join_policy_in_force->graph().stand(*self.wait, [&target] {
          std::uintptr_t status = target.status.load(std::memory_order_acquire);
          do {
            if (status == kEnded) return true;
          } while (!target.status.compare_exchange_weak(
              status, status | kStrangers, std::memory_order_acq_rel, std::memory_order_acquire));
          return false;
        });
      },
      &standing, first);
}

// Its region waits for it, as a finish does: it can be on a cycle, but does not end by one.
bool is_posted(const FutureTask& future) noexcept { return future.ops->handle != nullptr; }

void wait_without_cycle(Strand& strand, FutureTask& future, const source_site& site, bool known) {
  deadlock::Policy& policy = *join_policy_in_force;
  const bool claimed = claim_here(future);
  // A stranger must be able to go on before its target ends, which it could not with the target above it on
  // its stack. Without knowledge all are strangers; but then it is enough that those that stand can go on.
  const bool here = claimed && (known || !policy.has_knowledge()) && strand.has_room();
  deadlock::Wait wait = wait_of(strand, site);
  wait.target = &policy.node(future.joins);
  wait.is_strangers = !known && !here && !is_posted(future);
  {
    const Entered entered(wait);
    if (here) {
      execute(strand, future);
    } else if (claimed || policy.graph().may_stand(wait)) {
      Task* const first = claimed ? &future : nullptr;
      if (wait.is_strangers) {
        stand(strand, future, wait, first);
      } else {
        await_elsewhere(strand, future, first);
      }
    }
  }
  if (wait.cycle != nullptr) throw_deadlock(site, *wait.cycle);
}

void await_by_policy(Strand& strand, FutureTask& future, const source_site& site) {
  deadlock::Policy& policy = *join_policy_in_force;
  Task& task = *strand.task;
  // Of an ended target, too: what a stranger knew must not be taken over.
  const bool known = policy.has_knowledge() && policy.knows(task.joins, future.joins);
  if (!known && policy.has_knowledge() && !is_posted(future)) {
    tell_unknown_join(task, future, site);
    if (policy.name() == deadlock::PolicyName::strict) throw_unknown_join(future, site);
  }
  if (!has_ended(future)) {
    // In a serial run only what other threads do has not ended.
    if (can_be_waited_for(task) && !in_force.serial) {
      wait_without_cycle(strand, future, site, known);
    } else {
      await(strand, future);
    }
  }
  if (!known) return;
  policy.joined(task.joins, future.joins);
  has_learnt(task);
}

void await_by_policy(Strand& strand, FinishScope& scope) {
  deadlock::Policy& policy = *join_policy_in_force;
  if (!complete(scope)) {
    if (in_force.serial || !can_be_waited_for(*strand.task)) {
      await(strand, scope);
    } else {
      deadlock::Wait wait = wait_of(strand, scope.site);
      wait.finish = &scope;
      const Entered entered(wait);
      await(
          strand, scope,
          [](void* waiting) {
            static_cast<void>(
                join_policy_in_force->graph().may_stand(*static_cast<deadlock::Wait*>(waiting)));
          },
          &wait);
    }
  }
  policy.finish_ended(strand.task->joins, scope.joins);
  has_learnt(*strand.task);
}

void* take_block(std::size_t bytes) {
  Worker* const worker = this_worker();
  return worker != nullptr ? worker->blocks.allocate(bytes) : deadlock::take_from_heap(bytes);
}
void give_block_back(void* block, std::size_t bytes) {
  if (Worker* const worker = this_worker()) {
    worker->blocks.free(block, bytes);
  } else {
    std::free(block);
  }
}

}  // namespace

void set_join_policy(deadlock::PolicyName name) {
  deadlock::memory = {&take_block, &give_block_back};
  join_policy_in_force =
      deadlock::policy(name, [](void* strand) { make_ready(*static_cast<Strand*>(strand)); });
  if (join_policy_in_force == nullptr) return;
  join_policy_in_force->begin_period();
  followed = true;
  report_uncaught_join_errors();
  if (attached_join_listener != nullptr) attached_join_listener->policy_in_force();
}

void await_followed(Strand& strand, FutureTask& future, const source_site& site) {
  if (attached_listener != nullptr) {
    attached_listener->get_begun(strand.task->tool, future.tool, to_event(site));
  }
  if (join_policy_in_force != nullptr) {
    await_by_policy(strand, future, site);
  } else {
    await(strand, future);
  }
  if (attached_listener != nullptr) {
    attached_listener->get_ended(strand.task->tool, future.tool, to_event(site));
  }
}

void await_followed(Strand& strand, FinishScope& scope) {
  if (join_policy_in_force != nullptr) {
    await_by_policy(strand, scope);
  } else {
    await(strand, scope);
  }
  strand.view = scope.enclosing;
  if (attached_listener != nullptr) attached_listener->finish_ended(strand.task->tool, scope.tool);
}

void wake_strangers(FutureTask& future) noexcept {
  deadlock::Policy& policy = *join_policy_in_force;
  policy.graph().target_ended(policy.node(future.joins));
}

void forget_joins(Task& task) noexcept {
  if (task.joins != nullptr) deadlock::owner_of(task.joins).forget(task.joins);
}

void tell_created(Task& parent, Task& child, detail::LoopTask* rest_of) {
  if (attached_listener != nullptr) {
    attached_listener->task_created(parent.tool, child.tool, child.finish->tool, to_event(child.ops->kind),
                                    to_event(child.site));
  }
  if (join_policy_in_force == nullptr) return;
  if (rest_of != nullptr) {
    join_policy_in_force->split(rest_of->joins, child.joins);
  } else {
    join_policy_in_force->forked(parent.joins, child.joins, child.ops->kind == TaskKind::future);
    has_learnt(parent);
  }
}

void tell_ended(Task& task) {
  if (attached_listener != nullptr) attached_listener->task_ended(task.tool);
  if (join_policy_in_force != nullptr) join_policy_in_force->ended(task.joins, join_word(*task.finish));
}

void tell_forgotten(Task& task) {
  if (attached_listener != nullptr) attached_listener->task_forgotten(task.tool);
  forget_joins(task);
}

}  // namespace anyorder::runtime
