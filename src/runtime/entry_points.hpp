// What the entry points of a task's creation have in common.
#pragma once

#include "anyorder/detail/task.hpp"
#include "runtime/worker.hpp"

namespace anyorder::runtime {

// The running strand's task becomes the parent, and the scope that is open there joins the child.
void make_child(Strand& strand, detail::Task& task, detail::LoopTask* rest_of) noexcept;
// By the executor in force.
void let_run(Worker& worker, detail::Task& task) noexcept;

}  // namespace anyorder::runtime
