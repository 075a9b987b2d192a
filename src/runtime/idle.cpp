#include "runtime/idle.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "runtime/lent_threads.hpp"
#include "runtime/overflow.hpp"
#include "runtime/perturbation.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/strand_pool.hpp"

namespace anyorder::runtime {

std::atomic<int> sleepers{0};

namespace {

struct Idle {
  std::mutex mutex;
  // All below guarded by `mutex`; sleepers == absent + asleep.size(), and 1 more with perturbation.
  unsigned size = 0;    // of the pool
  unsigned absent = 0;  // threads that the pool is short of
  std::vector<Worker*> asleep;
};

Idle& idle() noexcept {
  static auto& only = *new Idle;  // never destroyed, like the workers
  return only;
}

std::atomic<bool> closing{false};

void rouse(Worker& worker) noexcept {
  const std::lock_guard lock(worker.parking);
  worker.parked = false;
  worker.unparked.notify_one();
}

// No longer to be called; false if it was not, or has been called already.
bool withdraw(Worker& worker) noexcept {
  Idle& all = idle();
  const std::lock_guard lock(all.mutex);
  const auto here = std::find(all.asleep.begin(), all.asleep.end(), &worker);
  if (here == all.asleep.end()) return false;
  all.asleep.erase(here);
  sleepers.fetch_sub(1, std::memory_order_seq_cst);
  return true;
}

void leave(const Worker& worker) noexcept {
  {
    const std::lock_guard lock(idle().mutex);
    ++idle().absent;
    sleepers.fetch_add(1, std::memory_order_seq_cst);
  }
  if (sees_work(worker)) wake_one();
}

}  // namespace

// A thread of oneTBB's joins the pool until it finds no more work.
void serve() {
  Worker* const before = this_worker();
  if (before != nullptr && before->strand != before->own) {
    leave(*before);  // oneTBB lends us a thread from inside a task of ours
    return;
  }
  const OverflowMessage on_overflow;
  Worker& worker = workers().acquire(Worker::Role::pool);
  Strand own(support::own_stack(), &worker);
  worker.own = worker.strand = &own;
  set_this_worker(&worker);
  switch_to(worker, own, take_strand(worker), &do_nothing, nullptr);
  set_this_worker(before);
  worker.own = worker.strand = nullptr;
  workers().give_back(worker);
  leave(worker);
}

void wake_one() noexcept {
  perturb_if_on();
  Idle& all = idle();
  std::unique_lock lock(all.mutex);
  if (!all.asleep.empty()) {
    Worker& worker = *all.asleep.back();
    all.asleep.pop_back();
    sleepers.fetch_sub(1, std::memory_order_seq_cst);
    lock.unlock();
    rouse(worker);
  } else if (all.absent != 0) {
    --all.absent;
    sleepers.fetch_sub(1, std::memory_order_seq_cst);
    lend_one_thread();
  }
}

void wake_all() noexcept {
  for (int left = sleepers.load(std::memory_order_seq_cst); left > 0; --left) wake_one();
}

void park(Worker& worker) {
  Idle& all = idle();
  {
    const std::lock_guard lock(worker.parking);
    worker.parked = true;
  }
  {
    const std::lock_guard lock(all.mutex);
    all.asleep.push_back(&worker);
    sleepers.fetch_add(1, std::memory_order_seq_cst);
  }
  if (!worker.own_ready.load(std::memory_order_seq_cst) && !sees_work(worker)) {
    std::unique_lock lock(worker.parking);
    worker.unparked.wait(lock, [&] { return !worker.parked; });
  }
  withdraw(worker);  // a late call for an earlier sleep may have ended this one
}

void unpark(Worker& worker) noexcept {
  if (withdraw(worker)) rouse(worker);
}

bool may_leave_pool(const Worker& worker) noexcept {
  return closing.load(std::memory_order_relaxed) || !sees_work(worker);
}

void resize_pool(unsigned threads) {
  Idle& all = idle();
  closing.store(true, std::memory_order_relaxed);
  std::unique_lock lock(all.mutex);
  while (all.absent != all.size) {
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
  closing.store(false, std::memory_order_relaxed);
  sleepers.fetch_add(static_cast<int>(threads) - static_cast<int>(all.size), std::memory_order_seq_cst);
  all.size = all.absent = threads;
  allow_lent_threads(threads);
}

}  // namespace anyorder::runtime
