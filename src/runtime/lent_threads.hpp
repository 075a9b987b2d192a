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

}  // namespace anyorder::runtime
