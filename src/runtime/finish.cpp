#include "runtime/finish.hpp"

#include <memory>
#include <mutex>
#include <vector>

#include "anyorder/future.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/tool.hpp"
#include "runtime/worker.hpp"

namespace anyorder::detail {

// What went wrong in a scope, in the order in which it did. Made at the first failure.
struct Failures {
  struct Failure {
    std::exception_ptr error;
    FutureTask* future;  // with a reference; null if it was not a future that failed
    source_site created_at;
  };
  std::mutex mutex;
  std::vector<Failure> all;
};

}  // namespace anyorder::detail

namespace anyorder::runtime {

using detail::Failures;
using detail::FinishScope;
using detail::FinishView;
using detail::FutureTask;
using detail::kCredits;

void take_credit(FinishView& view) noexcept {
  if (view.credits <= 1) [[unlikely]] {
    view.scope->outstanding.fetch_add(kCredits, std::memory_order_relaxed);
    view.credits += kCredits;
  }
  --view.credits;
}

void give_back(FinishScope& scope, std::int64_t credits) noexcept {
  if (scope.outstanding.fetch_sub(credits, std::memory_order_acq_rel) == credits) make_ready(*scope.waiter);
}

bool complete(const FinishScope& scope) noexcept {
  return scope.outstanding.load(std::memory_order_acquire) == scope.own.credits;
}

bool nested_in(const FinishScope* inner, const FinishScope& outer) noexcept {
  while (inner->depth > outer.depth) inner = inner->enclosing->scope;
  return inner == &outer;
}

void record_failure(FinishScope& scope, source_site created_at, FutureTask* future) noexcept {
  Failures* failures = scope.failures.load(std::memory_order_acquire);
  if (failures == nullptr) {
    auto made = std::make_unique<Failures>();
    if (scope.failures.compare_exchange_strong(failures, made.get(), std::memory_order_acq_rel)) {
      failures = made.release();
    }
  }
  if (future != nullptr) {
    future->error = std::current_exception();
    future->references.fetch_add(1, std::memory_order_relaxed);
  }
  {
    const std::lock_guard lock(failures->mutex);
    failures->all.push_back({std::current_exception(), future, created_at});
  }
  if (attached_listener != nullptr) [[unlikely]] {
    detail::Task& task = *this_worker()->strand->task;
    attached_listener->failed(task.tool, task.finish != &scope);
  }
}

std::exception_ptr take_failure(FinishScope& scope, source_site* created_at) noexcept {
  const std::unique_ptr<Failures> failures(scope.failures.exchange(nullptr, std::memory_order_acquire));
  std::exception_ptr first;
  if (failures == nullptr) return first;
  for (Failures::Failure& failure : failures->all) {
    const bool taken =
        failure.future != nullptr && failure.future->error_taken.load(std::memory_order_acquire);
    if (first == nullptr && !taken) {
      first = std::move(failure.error);
      if (created_at != nullptr) *created_at = failure.created_at;
    }
    if (failure.future != nullptr) detail::release(*failure.future);
  }
  return first;
}

}  // namespace anyorder::runtime
