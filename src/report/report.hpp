// What the user gets to see of a checked run: findings with names and lines in them, as text and as JSON.
//
// Contract: values and functions without state of their own; call them from one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "findings/finding_set.hpp"
#include "findings/verdict.hpp"
#include "record/run.hpp"
#include "report/object_type.hpp"

namespace anyorder::report {

// Who looked at the run. Of `anyorder run`, `detector` is empty.
struct Judge {
  std::string detector;
  std::string joins = "off";  // the join policy
};

// What `anyorder explore` did.
struct Exploration {
  struct Section {
    std::uint64_t task = 0;
    std::string file;
    std::uint32_t line = 0;
  };
  std::uint64_t orders = 0;   // runs of the program
  std::uint64_t states = 0;   // that were told apart
  std::uint64_t deepest = 0;  // sections in one run, at most
  // Of the order that has the race or the deadlock, or at which the search ended; empty: there is none.
  std::string schedule;
  std::vector<Section> sections;  // in that order, as far as they are known
  std::string replay;             // the command that runs it again
};

// How the program was run and ended, as the command line saw it.
struct RunFacts {
  std::vector<std::string> command;  // program and arguments, as the user gave them
  std::string detector;              // empty: none
  int exit_code = 0;                 // of the program, if no signal ended it
  int signal = 0;                    // that ended it; 0: none
  bool interrupted = false;          // by the user, Ctrl-C
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::string joins = "off";  // the join policy
  std::optional<Exploration> exploration;

  // By `anyorder run`: races were not looked for.
  [[nodiscard]] bool is_joins_only() const { return detector.empty(); }
};

struct Report {
  RunFacts run;
  findings::Findings findings;  // symbolized and grouped by source line; of all processes together
  findings::Verdict verdict = findings::Verdict::unknown;
  findings::Coverage coverage = findings::Coverage::all_schedules;
  record::Counters counters;  // sums
  // As record::Process has them. Of several processes: sums; what is called average_… is the mean, weighted
  // by the accesses, and what is called longest_… the longest.
  std::vector<std::pair<std::string, double>> statistics;
  std::vector<std::string> notes;  // each once
  // Of what races are on, as far as debug information tells.
  std::map<findings::Memory, std::shared_ptr<const ObjectType>> types;
  std::optional<std::filesystem::file_time_type> built;  // when the program was; of several the latest
};

// Symbolizes: reads the files that the processes' modules name, as they are now. A file that is gone costs
// the names of what lies in it, nothing else.
[[nodiscard]] Report make_report(const std::vector<record::Process>& processes, RunFacts facts);

struct TextStyle {
  bool colour = false;
  std::size_t width = 0;  // of the terminal, in characters; 0: there is none
};

// For people: each pair of source lines once; files below the current directory relative to it.
void write_text(std::ostream& out, const Report& report, const TextStyle& style);

// For people: what the detector counted.
void write_statistics(std::ostream& out, const Report& report);

// For programs: every racy location. Bytes that are not UTF-8 become U+FFFD.
void write_json(std::ostream& out, const Report& report);

}  // namespace anyorder::report
