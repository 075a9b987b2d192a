// The programs of the model checking paper (Nakade, Mercer, Aldous, McCarthy: NFM 2018), rebuilt from its
// tables and its text, with what the paper measured.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench::explore {

// A column of the paper: states, time as it prints it, and whether it reports a race; "-": it did not end in
// an hour.
struct Column {
  const char* states;
  const char* time;
  const char* race;
};

struct Program {
  const char* name;
  int tasks;  // that are created
  bool races;
  Column graphs;       // the paper's own method
  Column permissions;  // gradual permission regions
  Column precise;      // Java Pathfinder's PreciseRaceDetector
  std::function<void()> run;
  std::function<bool()> right;  // whether the last run, if it has no race, has computed what it should
  // Why ours are more, if they are.
  const char* more_states = "";
};

// The 14 of the first table, then the five larger ones.
[[nodiscard]] std::vector<Program> programs();

}  // namespace bench::explore
