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
#include "report/baseline.hpp"
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
    std::optional<std::uint64_t> chosen{};  // no section, but an await_one, which took that task
  };
  std::uint64_t orders = 0;   // runs of the program
  std::uint64_t states = 0;   // that were told apart
  std::uint64_t deepest = 0;  // sections in one run, at most
  // Of the order that has the race or the deadlock, or at which the search ended; empty: there is none.
  std::string schedule;
  std::vector<Section> sections;  // in that order, as far as they are known
  std::string replay;             // the command that runs it again
  bool any_choice_made = false;   // by await_one
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
  std::optional<Exploration> exploration = {};
  std::string typed = {};    // the command as a shell takes it; empty: no advice on what to run next
  bool out_of_room = false;  // there was none left for the records of the run

  // By `anyorder run`: races were not looked for.
  [[nodiscard]] bool is_joins_only() const { return detector.empty(); }
};

// What an earlier report says about this one.
struct BaselineResult {
  std::string name;            // the file
  std::vector<bool> is_known;  // of each group of races: it was there
  std::size_t known = 0;       // so many of them
  std::vector<std::string> gone;
};

// What a file of suppressions took out of the findings.
struct SuppressionResult {
  std::string name;                 // the file
  std::size_t pairs = 0;            // of source lines, of which all or some races are listed there
  std::vector<std::string> unused;  // entries that matched nothing
};

// A place where the program says that it intends a race.
struct ExpectedRaces {
  findings::Frame at;
  std::string why;
  std::size_t races = 0;  // on the bytes that it names; they are not among the findings
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
  // What would put them in order, for a pair of sites, the lower first: of a run whose graph was kept.
  // Several if different pairs of tasks need different changes; then all of them are needed.
  std::map<std::pair<findings::Site, findings::Site>, std::vector<findings::Remedy>> remedies;
  std::optional<BaselineResult> baseline;
  std::optional<SuppressionResult> suppressions;
  std::vector<ExpectedRaces> expected;                   // each place once
  std::optional<std::filesystem::file_time_type> built;  // when the program was; of several the latest
};

// Symbolizes: reads the files that the processes' modules name, as they are now. A file that is gone costs
// the names of what lies in it, nothing else.
[[nodiscard]] Report make_report(const std::vector<record::Process>& processes, RunFacts facts);

// Takes over what a second run of the same program tells, whose graph was kept; and says so if that run was
// not like the first.
void add_graph_run(Report& report, Report graph_run);

struct TextStyle {
  bool colour = false;
  bool stacks = false;    // of each access the whole call stack, as far as it was kept
  std::size_t width = 0;  // of the terminal, in characters; 0: there is none
};

// The sites of a race, or of a remedy for it, the lower first.
[[nodiscard]] std::pair<findings::Site, findings::Site> sites_of(const findings::Trace& first,
                                                                 const findings::Trace& second);

// For people: each pair of source lines once; files below the current directory relative to it.
void write_text(std::ostream& out, const Report& report, const TextStyle& style);

// For people: what the detector counted.
void write_statistics(std::ostream& out, const Report& report);

// Sets Report::baseline.
void compare_with(Report& report, const Baseline& baseline, const std::string& name);

// Of a report with findings: not all of them were in the baseline.
[[nodiscard]] bool has_news(const Report& report);

// For code-scanning pages and editors: SARIF 2.1.0.
void write_sarif(std::ostream& out, const Report& report);

// For programs: every racy location. Bytes that are not UTF-8 become U+FFFD.
void write_json(std::ostream& out, const Report& report);

}  // namespace anyorder::report
