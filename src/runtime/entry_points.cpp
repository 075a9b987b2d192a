// What the public headers call. Each checks for misuse, emits the events of the operation, and leaves the
// rest to the executor in force.

#include "runtime/entry_points.hpp"

#include <cstdlib>

#include "anyorder/future.hpp"
#include "anyorder/loops.hpp"
#include "runtime/configuration.hpp"
#include "runtime/controlled.hpp"
#include "runtime/finish.hpp"
#include "runtime/followed.hpp"
#include "runtime/misuse.hpp"
#include "runtime/references.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/serial.hpp"
#include "runtime/thread_root.hpp"
#include "runtime/tool.hpp"
#include "support/check.hpp"

namespace anyorder::runtime {

void make_child(Strand& strand, detail::Task& task, detail::LoopTask* rest_of) noexcept {
  task.finish = strand.view->scope;
  take_credit(*strand.view);
  created(*strand.task, task, rest_of);
}

void let_run(Worker& worker, detail::Task& task) noexcept {
  Strand& strand = *worker.strand;
  if (worker.controlled != nullptr) [[unlikely]] {
    worker.controlled->created(task);
  } else if (in_force.serial) {
    run_now(worker, task);
  } else {
    enqueue(worker, task);
    if (worker.joins_at_once && strand.task->ops->kind == detail::TaskKind::root &&
        strand.view->scope->depth == 0) [[unlikely]] {
      await(strand, *strand.view->scope);
    }
  }
}

}  // namespace anyorder::runtime

namespace anyorder::detail {

using runtime::attached_listener;
using runtime::Worker;

namespace {

const char* name_of(TaskKind kind) noexcept {
  switch (kind) {
    case TaskKind::future:
      return "async_future";
    case TaskKind::loop:
      return "forasync";
    default:
      return "async";
  }
}

void close(FinishScope& scope) {
  Strand& strand = *runtime::this_worker()->strand;
  if (runtime::followed) [[unlikely]] {
    runtime::await_followed(strand, scope);
  } else {
    runtime::await(strand, scope);
    strand.view = scope.enclosing;
  }
}

}  // namespace

void require_outside_isolated(TaskKind kind, source_site site) {
  const Worker& worker = runtime::enter();
  if (worker.isolated != nullptr) [[unlikely]] {
    runtime::throw_inside_isolated(site, name_of(kind), *worker.isolated);
  }
}

void* allocate_task(std::size_t bytes, TaskKind kind, source_site site) {
  require_outside_isolated(kind, site);
  if (attached_listener != nullptr) [[unlikely]] {
    if (void* const memory = attached_listener->task_memory(bytes)) return memory;
  }
  support::BlockCache& blocks = runtime::this_worker()->blocks;
  void* const used = blocks.used_one(bytes);
  if (used == nullptr) return blocks.new_one(bytes);
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->memory_reused(used, bytes);
  return used;
}

void free_task(void* memory, std::size_t bytes) noexcept {
  if (attached_listener != nullptr && attached_listener->task_memory_given_back(memory)) [[unlikely]]
    return;
  if (Worker* const worker = runtime::this_worker()) {
    // A serial run's records mostly go where they were made: the next ones need neither malloc nor new pages.
    // (Whether the worker has run tasks serially, since the configuration may be another one by now.)
    worker->blocks.free(memory, bytes, worker->serial != nullptr);
  } else {
    std::free(memory);  // a handle that outlived its thread's use of the library
  }
  // No tail call: that would seem to be the program's own free, and count as its write to all of the record,
  // if the block cache happens to be full.
  asm volatile("");
}

void spawn(Task& task, LoopTask* rest_of) noexcept {
  Worker& worker = *runtime::this_worker();
  runtime::make_child(*worker.strand, task, rest_of);
  runtime::let_run(worker, task);
}

FinishScope::FinishScope(source_site opened_at) : site(opened_at) {
  Worker& worker = runtime::enter();
  if (worker.isolated != nullptr) [[unlikely]] {
    runtime::throw_inside_isolated(site, "finish", *worker.isolated);
  }
  Strand& strand = *worker.strand;
  enclosing = strand.view;
  depth = enclosing->scope->depth + 1;
  strand.view = &own;
  if (attached_listener != nullptr) [[unlikely]] {
    attached_listener->finish_begun(strand.task->tool, tool, runtime::to_event(site));
  }
}

FinishScope::FinishScope(ForThread /*tag*/) noexcept {}

void FinishScope::end() {
  close(*this);
  if (failures.load(std::memory_order_acquire) != nullptr) [[unlikely]] {
    if (const std::exception_ptr error = runtime::take_failure(*this)) std::rethrow_exception(error);
  }
}

void FinishScope::end_failed() {
  runtime::record_failure(*this, site, nullptr);
  end();
  ANYORDER_CHECK(false, "a failed finish has an exception to throw");
}

void wait_for(FutureTask* task, source_site site) {
  if (task == nullptr) [[unlikely]] {
    runtime::throw_misuse(site, "get on an empty handle: no future was assigned to it, or it was moved from");
  }
  Worker& worker = runtime::enter();
  if (worker.isolated != nullptr) [[unlikely]]
    runtime::throw_inside_isolated(site, "get", *worker.isolated);
  Strand& strand = *worker.strand;
  if (runtime::followed) [[unlikely]] {
    runtime::await_followed(strand, *task, site);
  } else {
    runtime::await(strand, *task);
  }
  if (task->error != nullptr) [[unlikely]] {
    task->error_taken.store(true, std::memory_order_release);
    std::rethrow_exception(task->error);
  }
}

FutureTask::FutureTask(const TaskOps& operations, source_site created_at) noexcept
    : Task(operations, created_at) {}

FutureTask::~FutureTask() = default;

bool drop_error(FutureTask& task) noexcept {
  if (task.error == nullptr) return false;
  task.error = nullptr;
  return true;
}

bool is_ready(const FutureTask& task) noexcept {
  if (attached_listener != nullptr) [[unlikely]]
    attached_listener->readiness_asked();
  return task.has_ended();
}

void release(FutureTask& task) noexcept {
  if (attached_listener != nullptr && task.references.load(std::memory_order_acquire) != 1) [[unlikely]]
    attached_listener->reference_dropped(&task.references);
  runtime::drop_references(task, 1);
}

void drop_reference(std::atomic<std::size_t>& references, void (*destroy)(void*), void* shared) noexcept {
  if (attached_listener != nullptr && references.load(std::memory_order_acquire) != 1) [[unlikely]]
    attached_listener->reference_dropped(&references);
  if (references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (attached_listener == nullptr) [[likely]] {
    destroy(shared);
  } else {
    void* no_task = nullptr;
    attached_listener->destruction_begun(&references, no_task);
    destroy(shared);
    attached_listener->destruction_ended();
  }
}

bool wants_task_per_index() noexcept {
  return attached_listener != nullptr || runtime::this_worker()->controlled != nullptr;
}

bool wants_split() noexcept {
  return !runtime::in_force.serial && runtime::in_force.workers > 1 && runtime::this_worker()->queue.empty();
}

bool wants_ends_of_indexes() noexcept {
  return runtime::join_policy_in_force != nullptr && runtime::join_policy_in_force->has_knowledge();
}

void index_ended(LoopTask& piece) noexcept {
  piece.learnt = false;
  runtime::join_policy_in_force->index_ended(piece.joins, runtime::join_word(*piece.finish));
}

void index_failed(LoopTask& piece) noexcept { runtime::record_failure(*piece.finish, piece.site, nullptr); }

void throw_range_error(source_site site) {
  runtime::throw_misuse(site, "a loop that begins below zero needs a signed end: its indexes are unsigned");
}

}  // namespace anyorder::detail
