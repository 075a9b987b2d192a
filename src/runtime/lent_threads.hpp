// The threads of the pool are oneTBB's: they serve a while and go back, so that a program that also uses
// oneTBB itself has no more threads than cores. This is the only file that asks oneTBB for them.
#pragma once

namespace anyorder::runtime {

unsigned threads_of_this_machine() noexcept;
// At most that many serve at once from now on. To be called while none does.
void allow_lent_threads(unsigned threads);
// Has one more thread call serve() (runtime/idle.cpp) soon.
void lend_one_thread();
void serve();
// Goes on with exit(status), which a task has called on a thread of the pool: to be called by an exit
// handler on that thread. Such a thread must not run oneTBB's own exit code, which crashes on it (so does
// tbb::task_arena(2).enqueue([] { exit(7); }) alone, with oneTBB 2021.8).
[[noreturn]] void exit_from_lent_thread(int status);

}  // namespace anyorder::runtime
