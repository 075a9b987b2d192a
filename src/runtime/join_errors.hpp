// What a join policy finds, on its way to the program and to whoever listens.
#pragma once

#include "anyorder/detail/task.hpp"
#include "deadlock/wait_graph.hpp"

namespace anyorder::runtime {

// The get at `site` is the one that throws.
[[noreturn]] void throw_deadlock(const source_site& site, const deadlock::Cycle& cycle);
[[noreturn]] void throw_unknown_join(const detail::FutureTask& future, const source_site& site);

void tell_unknown_join(detail::Task& task, detail::FutureTask& future, const source_site& site);

// From now on, if one of these exceptions ends the program, it does so with the message and exit code 66.
void report_uncaught_join_errors();

}  // namespace anyorder::runtime
