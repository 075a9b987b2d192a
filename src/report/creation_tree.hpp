// How the two tasks of a race came to be, and why nothing puts them in order.
//
// Contract: functions without state of their own.
#pragma once

#include <string>

#include "findings/race.hpp"
#include "report/page.hpp"

namespace anyorder::report {

// The creations since the ways to the two tasks parted, as a tree.
void write_creations(Page& page, const findings::Race& race);

// One or two sentences: which tasks, and which finish or get is not there.
[[nodiscard]] std::string why_in_parallel(const Page& page, const findings::Race& race);

}  // namespace anyorder::report
