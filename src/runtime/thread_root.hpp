// An ordinary thread as a user of the library: its root task, and the implicit finish around what it does.
//
// The implicit finish ends when the thread does; for the main thread that is when main returns or exit is
// called, before static objects are destroyed.
#pragma once

#include "runtime/worker.hpp"

namespace anyorder::runtime {

// The calling thread's worker; makes the thread known at its first use of the library.
Worker& enter();
// Whether the calling thread is outside every finish and task, with none of its tasks alive; in a controlled
// run, where main is a task, too.
bool at_rest() noexcept;

}  // namespace anyorder::runtime
