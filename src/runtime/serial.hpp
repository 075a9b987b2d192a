// The serial depth-first executor: a task runs to its end at the point where it is created.
//
// From its first task on, a thread nests tasks on a stack of its own with room for a million of them.
#pragma once

#include "runtime/worker.hpp"

namespace anyorder::runtime {

void run_now(Worker& worker, detail::Task& task) noexcept;

}  // namespace anyorder::runtime
