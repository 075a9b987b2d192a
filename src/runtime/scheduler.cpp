#include "runtime/scheduler.hpp"

#include <atomic>
#include <thread>
#include <utility>

#include "anyorder/future.hpp"
#include "runtime/configuration.hpp"
#include "runtime/controlled.hpp"
#include "runtime/finish.hpp"
#include "runtime/followed.hpp"
#include "runtime/idle.hpp"
#include "runtime/references.hpp"
#include "runtime/strand_pool.hpp"
#include "runtime/tool.hpp"

namespace anyorder::runtime {

using detail::FinishScope;
using detail::FinishView;
using detail::FutureTask;
using detail::kEnded;
using detail::kNotStarted;
using detail::kRunning;
using detail::kStrangers;
using detail::LoopTask;
using detail::Task;
using detail::TaskKind;

namespace {

constexpr unsigned kSpins = 64;    // rounds over all queues before a worker starts to yield
constexpr unsigned kYields = 192;  // further ones before it sleeps

// Sequentially consistent: who changes it then looks at the count of sleepers, and a sleeper the other way
// round.
std::atomic<int> suspended_strands{0};

bool too_many_suspended() noexcept {
  return suspended_strands.load(std::memory_order_seq_cst) >= kMostSuspended;
}

void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

Strand* first_waiter(std::uintptr_t status) noexcept {
  return reinterpret_cast<Strand*>(status & ~(kRunning | kStrangers));
}

void wake_waiters(std::uintptr_t status) noexcept {
  Strand* waiting = first_waiter(status);
  while (waiting != nullptr) {
    Strand& strand = *waiting;
    waiting = strand.next;  // read before another worker may run the strand
    make_ready(strand);
  }
}

// Its end, if nobody has more of it than the one handle that its creator is about to get: without atomic
// operations, of which a locked one takes as long as twenty instructions. False: nothing was done.
bool conclude_unseen(FutureTask& future) noexcept {
  if (future.references.load(std::memory_order_relaxed) != detail::kPlace + 2 ||
      future.status.load(std::memory_order_relaxed) != kRunning) {
    return false;
  }
  future.references.store(1, std::memory_order_relaxed);
  future.status.store(kEnded, std::memory_order_release);
  return true;
}

// After the task's last action: its result becomes visible, and its record goes or is left to its handles.
template <bool kUnseen>
void conclude(Task& task, bool disposable) noexcept {
  if (disposable) {
    forget(task);
    task.ops->dispose(task);
    return;
  }
  auto& future = static_cast<FutureTask&>(task);
  if constexpr (kUnseen) {
    if (conclude_unseen(future)) return;
  }
  const bool has_place = future.has_place;
  const std::uintptr_t before = future.status.exchange(kEnded, std::memory_order_acq_rel);
  if (before != kRunning) {
    wake_waiters(before);
    if ((before & kStrangers) != 0) wake_strangers(future);
  }
  drop_references(future, has_place ? detail::kPlace + 1 : 1);
}

// Before a strand is suspended: the loop indexes that stand behind what it waits for become tasks of their
// own, in their loop's scope.
void give_loops_away(Strand& strand) {
  for (LoopTask* loop = strand.loops; loop != nullptr; loop = loop->outer) {
    FinishView view{loop->finish, 0};
    FinishView* const inner_view = std::exchange(strand.view, &view);
    Task* const inner_task = std::exchange(strand.task, loop);
    loop->ops->give_away_rest(*loop);
    strand.view = inner_view;
    strand.task = inner_task;
    if (view.credits != 0) give_back(*view.scope, view.credits);  // the loop itself keeps the scope open
  }
}

bool is_claimed_future(Task& task) noexcept {
  return task.ops->kind == TaskKind::future &&
         static_cast<FutureTask&>(task).status.load(std::memory_order_acquire) != kNotStarted;
}

// A claimed future leaves its place in some queue behind. Takes that of `future` back if it is the running
// worker's last one; if so, also drops all others that were left behind right before it, so that they do not
// pile up.
bool take_back(Worker& worker, FutureTask& future) noexcept {
  if (worker.queue.last() != Work(future) || worker.queue.pop() != Work(future)) {
    // The pop can only miss because the place was stolen, and then it was the only one.
    ++worker.left_behind;
    return false;
  }
  while (worker.left_behind != 0) {
    const Work work = worker.queue.pop();
    if (!work) {
      worker.left_behind = 0;
    } else if (work.is_strand() || !is_claimed_future(work.task())) {
      worker.queue.push(work);
      wake_one_if_any_sleeps();  // who went to sleep meanwhile has not seen it
      break;
    } else {
      drop_place(static_cast<FutureTask&>(work.task()));
      --worker.left_behind;
    }
  }
  return true;
}

// Never under control: there every task has a stack of its own.
[[gnu::always_inline]] inline bool claim_and_take_back(FutureTask& future) noexcept {
  Worker& worker = *this_worker();
  if (worker.controlled != nullptr || !claim(future)) return false;
  future.has_place = take_back(worker, future);
  return true;
}

// Something that was taken from a queue. If it is a future that somebody else has claimed, it is nothing.
Work claimed(Work work) noexcept {
  if (work && !work.is_strand() && work.task().ops->kind == TaskKind::future) {
    auto& future = static_cast<FutureTask&>(work.task());
    if (!claim(future)) {
      drop_place(future);
      return Work{};
    }
    future.has_place = true;
  }
  return work;
}

// The last task that this worker queued, to be run by the caller: until it ends, its scope stays open.
Task* take_last_task(Worker& worker) noexcept {
  while (!worker.queue.last().is_strand()) {
    const Work work = worker.queue.pop();
    if (!work) break;
    if (claimed(work)) return &work.task();
  }
  return nullptr;
}

bool another_runs(const Worker& worker) noexcept {
  const unsigned count = workers().count();
  for (unsigned i = 0; i != count; ++i) {
    const Worker& other = workers().at(i);
    if (&other != &worker && other.running.load(std::memory_order_seq_cst)) return true;
  }
  return false;
}

Work steal(Worker& thief, bool may_start) noexcept {
  const unsigned count = workers().count();
  auto victim = static_cast<unsigned>(next_random(thief) % count);
  for (unsigned i = 0; i != count; ++i, victim = victim + 1 == count ? 0 : victim + 1) {
    Worker& other = workers().at(victim);
    if (&other == &thief) continue;
    const Work work = other.queue.steal_if([&](Work w) { return may_start || w.is_strand(); });
    if (work) return work;
  }
  return Work{};
}

Work take_work(Worker& worker) noexcept {
  const bool may_start = may_start_tasks(worker);
  while (may_start || worker.queue.last().is_strand()) {
    const Work work = worker.queue.pop();
    if (!work) break;
    if (const Work mine = claimed(work)) return mine;
  }
  while (const Work work = steal(worker, may_start)) {
    if (const Work mine = claimed(work)) return mine;
  }
  return Work{};
}

// A thread's own stack goes on, and may be away from the queues for long. If the worker was called for some
// work, or the others left starting tasks to it, somebody else has to see to that.
void leave_work_to_others(const Worker& worker) noexcept {
  if (too_many_suspended()) {
    wake_all();
  } else if (sleepers.load(std::memory_order_seq_cst) > 0 && sees_work(worker)) {
    wake_one();
  }
}

// The next thing for this worker to do; nothing if its thread's own stack is to go on.
Work find_work(Worker& worker) {
  worker.running.store(false, std::memory_order_seq_cst);
  for (unsigned round = 0;; ++round) {
    if (worker.own_ready.load(std::memory_order_acquire)) {
      leave_work_to_others(worker);
      return Work{};
    }
    if (const Work work = take_work(worker)) return work;
    if (round < kSpins) {
      relax();
    } else if (round < kSpins + kYields) {
      std::this_thread::yield();
    } else {
      if (worker.role == Worker::Role::pool) {
        if (may_leave_pool(worker)) return Work{};
      } else {
        park(worker);
      }
      round = 0;
    }
  }
}

// The running strand has nothing more to do: goes on with another one, and keeps this one for later.
void retire(Worker& worker, Strand& strand, Strand& next) noexcept {
  switch_to(
      worker, strand, next,
      [](void* argument) noexcept { keep_strand(*this_worker(), *static_cast<Strand*>(argument)); }, &strand);
}

template <bool kUnseen>
[[gnu::always_inline]] inline void execute_as(Strand& strand, Task& task) noexcept {
  Task* const outer_task = strand.task;
  FinishView* const outer_view = strand.view;
  FinishScope& scope = *task.finish;
  FinishView view{&scope, 0};
  const bool same_scope = outer_view != nullptr && outer_view->scope == &scope;
  if (!same_scope) strand.view = &view;
  strand.task = &task;
  this_worker()->running.store(true, std::memory_order_relaxed);
  const bool loop = task.ops->kind == TaskKind::loop;
  if (loop) static_cast<LoopTask&>(task).outer = std::exchange(strand.loops, static_cast<LoopTask*>(&task));
  begun(task);
  {
    const support::NoExceptionsInFlight fresh;  // what the waiter is handling is not the task's
    try {
      task.ops->run(task);
    } catch (...) {
      record_failure(scope, task.site,
                     task.ops->kind == TaskKind::future ? static_cast<FutureTask*>(&task) : nullptr);
    }
  }
  const bool future = task.ops->kind == TaskKind::future;
  const bool disposable = !future || drop_result_without_handles(static_cast<FutureTask&>(task));
  ended(task);
  if (loop) strand.loops = static_cast<LoopTask&>(task).outer;
  conclude<kUnseen>(task, disposable);  // a destructor in there may still create tasks, in this scope
  strand.task = outer_task;
  strand.view = outer_view;
  if (same_scope) {
    ++outer_view->credits;
  } else {
    give_back(scope, view.credits + 1);
  }
  if (outer_task != nullptr) {
    if (outer_task->ops->kind == TaskKind::root) {
      if (in_force.serial) {
        this_worker()->running.store(false, std::memory_order_relaxed);  // there is nobody who would sleep
      } else {
        this_worker()->running.store(false, std::memory_order_seq_cst);
        if (too_many_suspended()) wake_all();  // nobody else may run: somebody has to start tasks
      }
    }
    resumed(*outer_task);
  }
}

}  // namespace

void suspend(Strand& strand, support::Context::After after, void* argument, Task* first) noexcept {
  give_loops_away(strand);
  Worker& worker = *this_worker();
  if (worker.controlled != nullptr) {
    worker.controlled->suspend(after, argument);
    return;
  }
  Strand& next = take_strand(worker);
  next.first = first;
  suspended_strands.fetch_add(1, std::memory_order_seq_cst);
  switch_to(worker, strand, next, after, argument);
  if (suspended_strands.fetch_sub(1, std::memory_order_seq_cst) == kMostSuspended) wake_all();
  resumed(*strand.task);
}

void schedule(support::Context& self) {
  auto& strand = static_cast<Strand&>(self);
  for (;;) {
    if (Task* const first = std::exchange(strand.first, nullptr)) {
      execute(strand, *first);
      continue;
    }
    Worker& worker = *this_worker();
    const Work work = find_work(worker);
    if (!work) {
      worker.own_ready.store(false, std::memory_order_relaxed);
      const Task* const task = worker.own->task;
      worker.running.store(task != nullptr && task->ops->kind != TaskKind::root, std::memory_order_relaxed);
      retire(worker, strand, *worker.own);
    } else if (work.is_strand()) {
      worker.running.store(true, std::memory_order_relaxed);
      retire(worker, strand, work.strand());
    } else {
      execute(strand, work.task());
    }
  }
}

void execute(Strand& strand, Task& task) noexcept { execute_as<false>(strand, task); }

void execute_unseen(Strand& strand, Task& task) noexcept { execute_as<true>(strand, task); }

bool claim(FutureTask& future) noexcept {
  std::uintptr_t expected = kNotStarted;
  return future.status.load(std::memory_order_relaxed) == kNotStarted &&
         future.status.compare_exchange_strong(expected, kRunning, std::memory_order_acquire);
}

void enqueue(Worker& worker, Task& task) noexcept {
  worker.queue.push(Work(task));
  wake_one_if_any_sleeps();
}

void make_ready(Strand& strand) noexcept {
  if (Controlled* const run = this_worker()->controlled) [[unlikely]] {
    run->make_ready(strand);
  } else if (Worker* const home = strand.home) {
    home->own_ready.store(true, std::memory_order_seq_cst);  // from here on the strand may be gone
    unpark(*home);
  } else {
    this_worker()->queue.push(Work(strand));
    wake_one_if_any_sleeps();
  }
}

bool claim_here(FutureTask& future) noexcept { return claim_and_take_back(future); }

void await(Strand& strand, FutureTask& future) {
  if (future.status.load(std::memory_order_acquire) == kEnded) return;
  Task* first = nullptr;
  if (claim_and_take_back(future)) {
    if (strand.has_room()) {
      execute(strand, future);
      return;
    }
    first = &future;
  }
  await_elsewhere(strand, future, first);
}

void await_elsewhere(Strand& strand, FutureTask& future, Task* first) {
  struct Wait {
    Strand* strand;
    FutureTask* future;
  } wait{&strand, &future};
  suspend(
      strand,
      [](void* argument) noexcept {
        const auto [waiter, target] = *static_cast<Wait*>(argument);
        std::uintptr_t status = target->status.load(std::memory_order_acquire);
        do {
          if (status == kEnded) {
            make_ready(*waiter);
            return;
          }
          waiter->next = first_waiter(status);
        } while (!target->status.compare_exchange_weak(
            status, reinterpret_cast<std::uintptr_t>(waiter) | kRunning | (status & kStrangers),
            std::memory_order_acq_rel, std::memory_order_acquire));
      },
      &wait, first);
}

void await(Strand& strand, FinishScope& scope, BeforeSuspension before_suspension, void* argument) {
  while (!complete(scope)) {
    Worker& worker = *this_worker();
    Task* const task = worker.controlled == nullptr ? take_last_task(worker) : nullptr;
    if (task != nullptr && nested_in(task->finish, scope) && strand.has_room()) {
      execute(strand, *task);
      continue;
    }
    if (before_suspension != nullptr) before_suspension(argument);
    scope.waiter = &strand;
    suspend(
        strand,
        [](void* of) noexcept {
          auto& waited_for = *static_cast<FinishScope*>(of);
          give_back(waited_for, std::exchange(waited_for.own.credits, 0));
        },
        &scope, task);
    return;
  }
}

void switch_to(Worker& worker, Strand& from, Strand& to, support::Context::After after,
               void* argument) noexcept {
  worker.strand = &to;
  support::Context::switch_to(from, to, after, argument);
}

int suspended_count() noexcept { return suspended_strands.load(std::memory_order_relaxed); }

bool may_start_tasks(const Worker& worker) noexcept { return !too_many_suspended() || !another_runs(worker); }

bool sees_work(const Worker& worker) noexcept {
  const bool may_start = may_start_tasks(worker);
  const unsigned count = workers().count();
  for (unsigned i = 0; i != count; ++i) {
    const Worker& other = workers().at(i);
    if (other.queue.would_steal([&](Work w) { return may_start || w.is_strand(); })) return true;
  }
  return false;
}

}  // namespace anyorder::runtime
