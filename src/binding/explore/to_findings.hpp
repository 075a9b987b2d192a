// What a run has found, as the record has it.
#pragma once

#include "binding/explore/observed_program.hpp"
#include "findings/deadlock.hpp"
#include "findings/race.hpp"

namespace anyorder::binding {

// In the last run of the program, which stands where it found the race.
[[nodiscard]] findings::Race to_finding(const exploring::RaceSeen& race, const ObservedProgram& program);
// Tasks that wait, none of which can go on: a cycle among them.
[[nodiscard]] findings::Deadlock to_finding(const std::vector<exploring::LiveTask>& stuck,
                                            const ObservedProgram& program);

}  // namespace anyorder::binding
