// What one run of a program is asked for, and what it tells. The search and the program need not be in one
// process: wire.hpp writes both as bytes.
//
// Contract: values; no thread affinity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/digest.hpp"
#include "explore/footprint.hpp"
#include "explore/run.hpp"
#include "explore/schedule.hpp"

namespace anyorder::exploring {

// To make these choices, and then to go on with the first that stands, until all is known.
struct Errand {
  Schedule choices;
  // The state in which the last of them is made; nothing: it is not known yet.
  std::optional<Digest> last_state;
};

// A state that was not known, in which all tasks stood.
struct NewState {
  Digest state;
  std::vector<LiveTask> live;
  std::uint32_t turns = 0;  // tasks in front of a section
};

enum class Ending : std::uint8_t {
  complete,  // all tasks have ended
  known,     // in a state that was known
  race,
  deadlock,
  too_deep,  // more sections than one run may have
  diverged,  // it did something else than the errand's choices had led to before
};

// A section that was run, or a choice that was made, for people.
struct SectionRun {
  TaskNumber task = 0;
  std::string file;
  std::uint32_t line = 0;
  std::optional<TaskNumber> chosen{};  // no section: the task waited there, and went on with that one
};

struct Trail {
  Ending ending = Ending::complete;
  Schedule choices;  // all that were made
  // Found after the errand's choices, in their order; from each but the last the first choice leads to the
  // next.
  std::vector<NewState> states;
  // The state that ended it, if it was known.
  Digest known;
  // Of the errand's last choice, unless that was not known, and of the first choice in each new state, as far
  // as they came to their end.
  std::vector<Footprint> footprints;
  std::uint64_t sections = 0;
  bool any_choice_made = false;  // not only sections, but which of several tasks one has awaited
  std::optional<RaceSeen> race;  // iff that is the ending
  std::vector<LiveTask> stuck;   // iff the ending is a deadlock
};

}  // namespace anyorder::exploring
