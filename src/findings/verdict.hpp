// The tool's answer in one word, and what that word covers. The names are those of the JSON.
#pragma once

#include <cstdint>
#include <string_view>

namespace anyorder::findings {

enum class Verdict : std::uint8_t { clean, race, deadlock, unknown };

[[nodiscard]] constexpr std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::race:
      return "race";
    case Verdict::deadlock:
      return "deadlock";
    case Verdict::unknown:
      return "unknown";
  }
  return {};
}

// What was found stands, whatever could not be judged beside it; but "nothing found" is clean only
// if everything was judged. A race comes before a deadlock: a wait for a future whose handle came
// through a race is the race's consequence.
[[nodiscard]] constexpr Verdict verdict_of(bool any_race, bool any_deadlock, bool any_unsupported) {
  if (any_race) return Verdict::race;
  if (any_deadlock) return Verdict::deadlock;
  return any_unsupported ? Verdict::unknown : Verdict::clean;
}
// An unknown join tells of a race that was not seen itself; what was seen comes first.
[[nodiscard]] constexpr Verdict verdict_of(bool any_race, bool any_deadlock, bool any_unknown_join,
                                           bool any_unsupported) {
  return verdict_of(any_race || (any_unknown_join && !any_deadlock), any_deadlock, any_unsupported);
}

enum class Coverage : std::uint8_t { all_schedules, one_isolated_order, this_schedule };

[[nodiscard]] constexpr std::string_view to_string(Coverage coverage) {
  switch (coverage) {
    case Coverage::all_schedules:
      return "all schedules of this input";
    case Coverage::one_isolated_order:
      return "one order of isolated sections";
    case Coverage::this_schedule:
      return "this schedule";
  }
  return {};
}

}  // namespace anyorder::findings
