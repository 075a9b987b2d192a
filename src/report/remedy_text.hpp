// The missing join, for people.
//
// Contract: functions without state of their own.
#pragma once

#include <string>
#include <vector>

#include "findings/remedy.hpp"
#include "report/page.hpp"

namespace anyorder::report {

// A sentence, with a blank before it, on what does wait for the task, but too late.
[[nodiscard]] std::string joined_later(const Page& page, const findings::Remedy& remedy);

// Not empty.
void write_remedies(Page& page, const std::vector<findings::Remedy>& remedies);

}  // namespace anyorder::report
