// The life of a future's record: detail/task.hpp has the rule.
#pragma once

#include <cstdint>

#include "anyorder/detail/task.hpp"

namespace anyorder::runtime {

// The future's place in a queue is gone.
void drop_place(detail::FutureTask& future) noexcept;
// One handle is gone, or so many references as a sum of handles and kPlace.
void drop_references(detail::FutureTask& future, std::uint64_t references) noexcept;

}  // namespace anyorder::runtime
