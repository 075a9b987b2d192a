// What a checked process leaves behind: the findings and the facts of its run, before symbolizing.
//
// Contract: values; no thread affinity. Code addresses are as the process saw them; `modules` tells which
// file each of them was loaded from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "findings/finding_set.hpp"
#include "findings/remedy.hpp"
#include "findings/verdict.hpp"

namespace anyorder::record {

// A loaded executable or shared library.
struct Module {
  std::uintptr_t begin = 0;  // of the mapped addresses
  std::uintptr_t end = 0;
  std::uintptr_t bias = 0;  // what was added to the addresses in the file
  std::string path;
};

struct Counters {
  std::uint64_t tasks = 0;  // asyncs and futures; loop indexes are asyncs
  std::uint64_t asyncs = 0;
  std::uint64_t futures = 0;
  std::uint64_t finishes = 0;
  std::uint64_t gets = 0;
  std::uint64_t isolated = 0;
  std::uint64_t reads = 0;  // plain ones that were checked; a range is one
  std::uint64_t writes = 0;
  std::uint64_t atomics = 0;
};

enum class Ending : std::uint8_t {
  cut_short,    // the process left no word: killed, crashed, or still running
  inside_task,  // exit, _exit or the like, called inside a task or a finish
  complete,     // all tasks had ended
};

// Races on these bytes are intended.
struct ExpectedRace {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::string why;
  findings::Frame at;
};

struct Process {
  std::int64_t pid = 0;
  std::string program;          // the executable's path
  std::string detector;         // its name
  bool instrumented = false;    // of `anyorder run`: a join policy was in force
  std::vector<Module> modules;  // of all addresses in the findings; by `begin`
  findings::Findings findings;
  std::vector<findings::Remedy> remedies;  // for races among these; of a detector that keeps the graph
  std::vector<ExpectedRace> expected;
  Counters counters;
  Ending ending = Ending::cut_short;
  findings::Coverage coverage = findings::Coverage::all_schedules;
  // What the user should know about this run and is no finding, in the order in which it came up.
  std::vector<std::string> notes;
  // What the detector counted, by the names of the JSON's "stats". "<name>/<row>" is a row of the histogram
  // <name>; its rows come in their order, the empty ones up to the last, too.
  std::vector<std::pair<std::string, double>> statistics;
};

}  // namespace anyorder::record
