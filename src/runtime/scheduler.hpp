// Running, suspending and resuming tasks: what both executors share, and the parallel one's loop.
//
// The rules that keep a correct program from hanging:
//  * A waiter runs only what it has to wait for anyway: the future it gets, if nobody has started it (it
//    claims it), or a task of the finish it ends. Anything else runs on another strand.
//  * A waiter with nothing of its own to run is suspended, and its worker goes on with another strand.
//  * So whatever a suspended strand waits for has started, and some worker is running. Once kMostSuspended
//    strands stand, a worker starts no further task as long as another one runs: there is always progress,
//    in bounded memory.
#pragma once

#include <cstddef>

#include "anyorder/detail/finish_scope.hpp"
#include "anyorder/detail/task.hpp"
#include "runtime/worker.hpp"

namespace anyorder::runtime {

inline constexpr int kMostSuspended = 1000;

// Runs the task to its end on top of the given strand, which must be the running one, and tells all who wait
// for it. The task must not have started, or be a future that the caller has claimed.
void execute(Strand& strand, detail::Task& task) noexcept;
// The same for a task of which nobody knows but the caller, who is still creating it.
void execute_unseen(Strand& strand, detail::Task& task) noexcept;
// Makes this the caller's future to run; false if somebody else has.
bool claim(detail::FutureTask& future) noexcept;

// Puts a task into the running worker's queue, where all workers find it.
void enqueue(Worker& worker, detail::Task& task) noexcept;
// Lets a suspended strand go on.
void make_ready(Strand& strand) noexcept;

// As claim; and takes the future's place in a queue back, if that is easy.
bool claim_here(detail::FutureTask& future) noexcept;

// Return when the future has ended, or the scope of the running task is complete.
void await(Strand& strand, detail::FutureTask& future);
// before_suspension: called if the strand is about to be suspended.
using BeforeSuspension = void (*)(void* argument);
void await(Strand& strand, detail::FinishScope& scope, BeforeSuspension before_suspension = nullptr,
           void* argument = nullptr);
// Returns when a future that somebody has claimed has ended. `first`: it was claimed by the caller, and is to
// run on another strand.
void await_elsewhere(Strand& strand, detail::FutureTask& future, detail::Task* first);
// Leaves the running strand, which `after` makes findable, and goes on with another one, which runs `first`
// if there is one and then looks for work. Returns when the strand has been made ready and resumed. Without
// memory for another stack nothing can go on: the program ends with that message.
void suspend(Strand& strand, support::Context::After after, void* argument, detail::Task* first) noexcept;

// What a strand of the parallel executor does: it looks for work, on and on.
[[noreturn]] void schedule(support::Context& self);
void switch_to(Worker& worker, Strand& from, Strand& to, support::Context::After after,
               void* argument) noexcept;
inline void do_nothing(void* /*argument*/) noexcept {}

int suspended_count() noexcept;

// Whether a worker may start tasks, and whether it would find anything that it may take.
bool may_start_tasks(const Worker& worker) noexcept;
bool sees_work(const Worker& worker) noexcept;

}  // namespace anyorder::runtime
