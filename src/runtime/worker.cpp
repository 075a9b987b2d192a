#include "runtime/worker.hpp"

#include "runtime/perturbation.hpp"
#include "support/check.hpp"

namespace anyorder::runtime {
namespace {

constinit thread_local Worker* t_worker = nullptr;

}  // namespace

Worker* this_worker() noexcept {
  asm volatile("");  // keeps calls of it from being merged
  return t_worker;
}

void set_this_worker(Worker* worker) noexcept { t_worker = worker; }

Worker& Workers::acquire(Worker::Role role) {
  const std::lock_guard lock(mutex_);
  Worker* worker = nullptr;
  if (free_.empty()) {
    const unsigned i = count_.load(std::memory_order_relaxed);
    ANYORDER_CHECK(i < kMost, "more than 4096 threads use the library at once");
    worker = new Worker;
    worker->random = seed_of_worker(i);
    all_[i].store(worker, std::memory_order_relaxed);
    count_.store(i + 1, std::memory_order_seq_cst);  // part of the order by which nobody sleeps over work
  } else {
    worker = free_.back();
    free_.pop_back();
  }
  worker->role = role;
  return *worker;
}

void Workers::give_back(Worker& worker) {
  const std::lock_guard lock(mutex_);
  free_.push_back(&worker);
}

Workers& workers() noexcept {
  static auto& all = *new Workers;  // never destroyed: pool threads may outlive static objects
  return all;
}

}  // namespace anyorder::runtime
