#include "runtime/references.hpp"

#include <utility>

#include "runtime/followed.hpp"
#include "runtime/tool.hpp"
#include "runtime/worker.hpp"

namespace anyorder::runtime {
namespace {

using detail::FinishScope;
using detail::FutureTask;
using detail::kPlace;
using detail::kResultGone;
using detail::Task;

constexpr std::uint64_t kHandles = kPlace - 1;

// After the result has gone.
void drop_record(FutureTask& future) noexcept {
  // Without handles a place can only go: if there is none, nobody else knows the record.
  if ((future.references.load(std::memory_order_acquire) & kPlace) == 0 ||
      (future.references.fetch_or(kResultGone, std::memory_order_acq_rel) & kPlace) == 0) {
    future.ops->dispose(future);
  }
}

[[gnu::noinline]] void drop_result_followed(FutureTask& future) noexcept {
  if (attached_listener != nullptr) {
    // The task itself counted as one of its references.
    attached_listener->destruction_begun(&future.references, future.tool);
    attached_listener->task_forgotten(future.tool);
  }
  future.ops->drop_result(future);
  forget_joins(future);  // not before: a destructor in there may have created tasks
  drop_record(future);
  if (attached_listener != nullptr) attached_listener->destruction_ended();
}

void drop_result(FutureTask& future) noexcept {
  if (followed) [[unlikely]] {
    drop_result_followed(future);
  } else {
    future.ops->drop_result(future);
    drop_record(future);
  }
}

// Of a thread that does not use the library, except that it drops a handle.
constinit thread_local Disposal t_disposal;

Disposal& disposal_of_this_stack() noexcept {
  Worker* const worker = this_worker();
  return worker == nullptr ? t_disposal : worker->strand->disposal;
}

// A result goes with its last handle: what it refers to may be gone soon after. But it may itself hold the
// last handle of another future, and so on a million times over: from this depth on, a loop and not a
// recursion.
constexpr int kDeepest = 16;

// A result's destructor may suspend the strand, so that the list belongs to the strand.
template <class DropFirst>
void drop_in_turn(Disposal& disposal, DropFirst drop_first) noexcept {
  ++disposal.depth;
  drop_first();
  if (disposal.depth == kDeepest) {
    while (disposal.next != nullptr) {
      auto& next = static_cast<FutureTask&>(*disposal.next);
      disposal.next = reinterpret_cast<Task*>(next.finish);
      drop_result(next);
    }
  }
  --disposal.depth;
}

}  // namespace

void drop_place(FutureTask& future) noexcept {
  if ((future.references.fetch_sub(kPlace, std::memory_order_acq_rel) & kResultGone) != 0) {
    future.ops->dispose(future);
  }
}

void drop_references(FutureTask& future, std::uint64_t references) noexcept {
  if (future.references.load(std::memory_order_acquire) == references) {
    future.references.store(0, std::memory_order_relaxed);  // nobody else has one
  } else {
    const std::uint64_t before = future.references.fetch_sub(references, std::memory_order_acq_rel);
    if ((before & kHandles) != (references & kHandles)) return;
  }
  Disposal& disposal = disposal_of_this_stack();
  if (disposal.depth == kDeepest) {
    future.finish = reinterpret_cast<FinishScope*>(std::exchange(disposal.next, &future));
  } else {
    drop_in_turn(disposal, [&] { drop_result(future); });
  }
}

bool drop_result_without_handles(FutureTask& future) noexcept {
  if (!future.has_place || future.references.load(std::memory_order_acquire) != kPlace + 1) return false;
  Disposal& disposal = disposal_of_this_stack();
  if (disposal.depth == kDeepest) {
    future.ops->drop_result(future);
  } else {
    drop_in_turn(disposal, [&] { future.ops->drop_result(future); });
  }
  return true;
}

}  // namespace anyorder::runtime
