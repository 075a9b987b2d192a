// Gives the accesses of a report the call stacks that a second run of the program had for them.
//
// Contract: functions without state.
#pragma once

#include "findings/finding_set.hpp"

namespace anyorder::report {

// Whether the second stack, in which repetitions may be left out, begins like the first one.
[[nodiscard]] bool begins_with(const findings::Trace& whole, const findings::Trace& near);

// For races between the same two lines: each one of `races` is told by the accesses of its like in `again`,
// which is a race of the same tasks, or else one on the same part of the same object, if there is only one
// such object. True: the race that stands for the group was there again, or its stacks need nothing.
[[nodiscard]] bool take_stacks(findings::RaceGroup& races, const findings::RaceGroup& again);

}  // namespace anyorder::report
