// Workers without work, and how they are called back: threads of the pool go back to oneTBB, an ordinary
// thread that waits sleeps.
//
// Nobody sleeps while there is work: who wants to sleep first counts itself as a sleeper and then looks at
// all queues once more; who queues something then looks at the count. Both are sequentially consistent. And
// who was called but goes elsewhere, because its own stack can go on, passes the call on (scheduler.cpp).
#pragma once

#include <atomic>

#include "runtime/worker.hpp"

namespace anyorder::runtime {

// Threads that could be called: those the pool is short of, and those that sleep.
extern std::atomic<int> sleepers;

// Calls one sleeper, or all of them.
void wake_one() noexcept;
void wake_all() noexcept;
inline void wake_one_if_any_sleeps() noexcept {
  if (sleepers.load(std::memory_order_seq_cst) > 0) [[unlikely]]
    wake_one();
}

// An ordinary thread sleeps until it is called. May return early.
void park(Worker& worker);
// Its own stack can go on.
void unpark(Worker& worker) noexcept;

// Whether a pool worker that found nothing may go back to oneTBB.
bool may_leave_pool(const Worker& worker) noexcept;
// Sets how many threads the pool has at most, when nothing is alive. Waits for those of the former pool to
// leave.
void resize_pool(unsigned threads);

}  // namespace anyorder::runtime
