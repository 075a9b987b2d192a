// The library's side of a finish: credits and failures (detail/finish_scope.hpp has the idea).
#pragma once

#include "anyorder/detail/finish_scope.hpp"
#include "anyorder/detail/task.hpp"

namespace anyorder::runtime {

// Takes the credit that a new task of the view's scope carries. The caller's strand holds the view.
void take_credit(detail::FinishView& view) noexcept;
// Gives credits back from a strand that is done with the scope. If they are the last, the owner goes on.
// The scope may be gone when this returns.
void give_back(detail::FinishScope& scope, std::int64_t credits) noexcept;
// Whether nothing of the scope is alive but its owner, which is the caller.
bool complete(const detail::FinishScope& scope) noexcept;
// Whether `inner` is `outer` or nested in it.
bool nested_in(const detail::FinishScope* inner, const detail::FinishScope& outer) noexcept;

// Something of the scope ended by the exception in flight: a task, an index of a loop, or the body. A
// future is given, and keeps the exception for its gets.
void record_failure(detail::FinishScope& scope, source_site created_at, detail::FutureTask* future) noexcept;
// The first exception of a complete scope that nobody took, or null; frees what was recorded.
std::exception_ptr take_failure(detail::FinishScope& scope, source_site* created_at = nullptr) noexcept;

}  // namespace anyorder::runtime
