// The numbers by which the parts of this detector name tasks and sites. All have 32 bits: 31 for tasks and
// sets of readers, which share a word of a cell, and as the labels of a task take two numbers of 32 bits.
#pragma once

#include <cstdint>

namespace anyorder::detect::dtrg {

using TaskId = std::uint32_t;  // in the order of creation; the root is 0
using SiteId = std::uint32_t;  // an interned site

inline constexpr TaskId kNoTask = ~TaskId{0};
inline constexpr TaskId kMostTasks = (TaskId{1} << 31U) - 1;

}  // namespace anyorder::detect::dtrg
