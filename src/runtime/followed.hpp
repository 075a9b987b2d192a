// Waiting while somebody follows the run: the events of a wait for the attached tool, and what the join
// policy in force says to it.
#pragma once

#include "runtime/scheduler.hpp"
#include "runtime/tool.hpp"

namespace anyorder::runtime {

// While nothing is alive.
void set_join_policy(deadlock::PolicyName name);

// As await of scheduler.hpp. The first throws deadlock_error or unknown_join_error instead of waiting. The
// second also closes the scope.
void await_followed(Strand& strand, detail::FutureTask& future, const source_site& site);
void await_followed(Strand& strand, detail::FinishScope& scope);

// The future has ended, and the policy has others that wait for it.
void wake_strangers(detail::FutureTask& future) noexcept;
// The task's word of a policy goes, whichever policy's it is.
void forget_joins(detail::Task& task) noexcept;

}  // namespace anyorder::runtime
