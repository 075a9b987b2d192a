// Adds to the findings of a report where finishes and creations of tasks end: the places of events have only
// the line at which the call begins.
#pragma once

#include "report/report.hpp"

namespace anyorder::report {

// Reads source files. Of one that is gone, or has changed since the program was built, nothing is said.
void find_ends_of_calls(Report& report);

}  // namespace anyorder::report
