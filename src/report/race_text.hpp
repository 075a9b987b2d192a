// A race for people: one screen.
//
// Contract: functions without state of their own.
#pragma once

#include <string>

#include "findings/finding_set.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace anyorder::report {

// What the race is on: "results[12] (int)".
[[nodiscard]] std::string object_of(const Page& page, const Report& report, const findings::Race& race);

// What stands for the frames of a stack that are not listed.
[[nodiscard]] std::string skipped_in_words(const findings::Skipped& skipped);

// The places that races are on. Entries that overlap, as a read and a write of one variable do, are on one.
[[nodiscard]] std::uint64_t count_locations(const std::vector<findings::RaceGroup>& groups);
[[nodiscard]] std::uint64_t count_locations(const findings::RaceGroup& group);

// Of the races of one pair of lines, the one that tells it best: `x++` in two tasks races in three ways, and
// the writes tell it best.
[[nodiscard]] const findings::Race& representative(const findings::RaceGroup& group);

void write_race(Page& page, const Report& report, const findings::RaceGroup& group);

}  // namespace anyorder::report
