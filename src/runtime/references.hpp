// The life of a future's record: detail/task.hpp has the rule.
#pragma once

#include <cstdint>

#include "anyorder/detail/task.hpp"

namespace anyorder::runtime {

// The future's place in a queue is gone.
void drop_place(detail::FutureTask& future) noexcept;
// One handle is gone, or so many references as a sum of handles and kPlace.
void drop_references(detail::FutureTask& future, std::uint64_t references) noexcept;

// If nobody has a handle of a future that has just run, drops its result, as the last thing that the task
// does; its record is the caller's then. False if somebody has one.
bool drop_result_without_handles(detail::FutureTask& future) noexcept;

}  // namespace anyorder::runtime
