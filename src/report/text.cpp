// The report for people. Findings first, the answer last, where a terminal ends.
#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/own_code.hpp"
#include "report/page.hpp"
#include "report/printable.hpp"
#include "report/race_text.hpp"
#include "report/report.hpp"
#include "report/signals.hpp"
#include "report/wording.hpp"

namespace anyorder::report {

namespace {

using Style = Page::Style;

constexpr std::size_t kMostEntries = 50;  // of a kind of finding; the JSON has all
constexpr std::size_t kMostSections = 40;

class Writer {
 public:
  Writer(std::ostream& out, const Report& report, const TextStyle& style)
      : out_(out), report_(report), page_(out, style, SourceFiles(report.built)) {}

  void write() {
    write_races();
    write_deadlocks();
    write_unknown_joins();
    write_unsupported();
    write_notes();
    write_schedule();
    write_summary();
  }

 private:
  [[nodiscard]] std::string styled(Style style, std::string text) const {
    return page_.styled(style, std::move(text));
  }
  [[nodiscard]] std::string place(const findings::Frame& frame) const {
    return page_.place_in_function(frame);
  }
  [[nodiscard]] std::string task(std::uint64_t number, const findings::Trace& created_at) const {
    return page_.task_with_creations(number, created_at);
  }

  void write_races() {
    const auto& groups = report_.findings.races;
    std::size_t shown = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (report_.baseline && report_.baseline->is_known[i]) continue;
      ++count;
      if (shown == kMostEntries) continue;
      write_race(page_, report_, groups[i]);
      ++shown;
    }
    write_rest(count, "pair of source lines that races", "pairs of source lines that race");
  }

  void write_deadlocks() {
    const auto& deadlocks = report_.findings.deadlocks;
    for (std::size_t i = 0; i < std::min(deadlocks.size(), kMostEntries); ++i) {
      const auto& cycle = deadlocks[i].cycle;
      const std::string what = cycle.size() == 1
                                   ? "a task waits for itself"
                                   : std::to_string(cycle.size()) + " tasks wait for each other";
      out_ << styled(Style::bad, "deadlock: " + what) << '\n';
      for (std::size_t at = 0; at < cycle.size(); ++at) {
        const findings::Wait& wait = cycle[at];
        const findings::Frame& waits_at = findings::frame_in_own_code(wait.waits_at);
        const std::uint64_t next = cycle[(at + 1) % cycle.size()].task;
        out_ << "  " << task(wait.task, wait.created_at) << '\n'
             << "    waits for " << task(next, {}) << " (" << findings::to_string(wait.kind) << ") at "
             << place(waits_at)
             << (wait.ends_at > waits_at.source.line ? ", which ends at line " + std::to_string(wait.ends_at)
                                                     : "")
             << '\n';
      }
      out_ << '\n';
    }
    write_rest(deadlocks.size(), "deadlock", "deadlocks");
  }

  void write_unknown_joins() {
    const auto& joins = report_.findings.unknown_joins;
    for (std::size_t i = 0; i < std::min(joins.size(), kMostEntries); ++i) {
      const findings::UnknownJoin& join = joins[i];
      std::string what = join.excused ? "unknown join: get" : "race on a future's handle: get";
      what += " at " + place(findings::frame_in_own_code(join.got_at));
      if (join.count > 1) what += ", " + std::to_string(join.count) + " times";
      out_ << styled(join.excused ? Style::doubtful : Style::bad, std::move(what)) << '\n'
           << "  by " << task(join.task, join.created_at) << '\n'
           << "  of " << task(join.future, join.future_created_at) << '\n'
           << "  which it does not know: " << why_unknown(join) << "\n\n";
    }
    write_rest(joins.size(), "unknown join", "unknown joins");
  }

  [[nodiscard]] std::string_view why_unknown(const findings::UnknownJoin& join) const {
    if (join.excused) {
      return "its handle came through an isolated section or an atomic, or by a race. Such gets can deadlock "
             "on "
             "other schedules.";
    }
    return "its handle came by a race (unless through an atomic or a mutex); `anyorder check` finds the "
           "variable.";
  }

  void write_unsupported() {
    const auto& all = report_.findings.unsupported;
    for (std::size_t i = 0; i < std::min(all.size(), kMostEntries); ++i) {
      const findings::Unsupported& unsupported = all[i];
      std::string what = "not judged: " + unsupported.construct;
      if (!unsupported.where.empty()) what += " at " + place(findings::frame_in_own_code(unsupported.where));
      if (unsupported.count > 1) what += ", " + std::to_string(unsupported.count) + " times";
      out_ << styled(Style::doubtful, std::move(what)) << "\n  " << unsupported.why << "\n\n";
    }
    write_rest(all.size(), "thing that was not judged", "things that were not judged");
  }

  void write_rest(std::size_t count, std::string_view one, std::string_view many) {
    if (count <= kMostEntries) return;
    out_ << "… and " << counted(count - kMostEntries, one, many)
         << ": the JSON report (--json FILE) has all\n\n";
  }

  void write_notes() {
    std::vector<std::string> notes = report_.notes;
    if (const std::uint64_t atomics = report_.counters.atomics; atomics > 0) {
      notes.push_back("The program did " + counted(atomics, "atomic operation", "atomic operations") +
                      "; the guarantee does not cover values that travel through atomics.");
    }
    for (const std::string& note : notes) out_ << "note: " << note << '\n';
    if (!notes.empty()) out_ << '\n';
  }

  void write_schedule() {
    const auto& exploration = report_.run.exploration;
    if (!exploration || exploration->schedule.empty()) return;
    const auto& sections = exploration->sections;
    if (!sections.empty()) {
      out_ << (exploration->any_choice_made
                   ? "the isolated sections and the choices of await_one came in this order:\n"
                   : "the isolated sections ran in this order:\n");
    }
    for (std::size_t i = 0; i < std::min(sections.size(), kMostSections); ++i) {
      const findings::Frame frame{0, {sections[i].file, sections[i].line, 0, {}}};
      out_ << "  " << place(frame) << ", of " << task(sections[i].task, {});
      if (sections[i].chosen) out_ << ", takes " << task(*sections[i].chosen, {});
      out_ << '\n';
    }
    if (sections.size() > kMostSections) {
      out_ << "  … (" << sections.size() - kMostSections << " more)\n";
    }
    const bool found = report_.verdict != findings::Verdict::unknown;
    out_ << (found ? "this order again: " : "the last order: ") << exploration->replay << "\n\n";
  }

  [[nodiscard]] std::string answer() const {
    const findings::Findings& found = report_.findings;
    const std::string deadlocks = counted(found.deadlocks.size(), "deadlock", "deadlocks");
    switch (report_.verdict) {
      case findings::Verdict::race: {
        if (found.races.empty()) {
          return "race: " + counted(found.unknown_joins.size(), "get of a future that its task does not know",
                                    "gets of futures that their tasks do not know");
        }
        const std::string answer =
            "race: " +
            counted(found.races.size(), "pair of source lines races", "pairs of source lines race") +
            ", on " + counted(count_locations(found.races), "location", "locations");
        const std::string known = has_news(report_) ? "" : ", all of it known";
        return found.deadlocks.empty() ? answer + known : answer + "; " + deadlocks;
      }
      case findings::Verdict::deadlock:
        return "deadlock: " + counted(found.deadlocks.size(), "cycle of tasks waits for itself",
                                      "cycles of tasks wait for themselves");
      case findings::Verdict::unknown:
        return "unknown: nothing was found, but not everything could be judged; see above";
      case findings::Verdict::clean:
        break;
    }
    if (report_.run.exploration) {
      return "proved: no race and no deadlock on any schedule of this input on which the program ends";
    }
    if (report_.run.is_joins_only()) {
      return report_.run.joins == "cycle" || report_.run.joins == "off"
                 ? "clean: no deadlock in this run"
                 : "clean: no deadlock in this run, and every get was of a known future";
    }
    const bool any_intended = (report_.suppressions && report_.suppressions->pairs > 0) ||
                              std::any_of(report_.expected.begin(), report_.expected.end(),
                                          [](const ExpectedRaces& expected) { return expected.races > 0; });
    return report_.coverage == findings::Coverage::all_schedules
               ? std::string("clean: no race on any schedule of this input") +
                     (any_intended ? ", but for those above" : "")
               : "clean: no race in this order of the isolated sections; run `anyorder explore` for the "
                 "others";
  }

  void write_baseline() {
    if (!report_.baseline) return;
    const BaselineResult& baseline = *report_.baseline;
    for (const std::string& gone : baseline.gone) out_ << "gone: " << printable(gone) << '\n';
    const std::size_t news = report_.findings.races.size() - baseline.known;
    out_ << printable(baseline.name) << ": " << counted(news, "race is new", "races are new") << ", "
         << counted(baseline.known, "was known", "were known") << ", "
         << counted(baseline.gone.size(), "is gone", "are gone") << '\n';
  }

  // What is no finding because someone said so.
  void write_intended() {
    if (report_.suppressions) {
      const SuppressionResult& listed = *report_.suppressions;
      for (const std::string& unused : listed.unused) {
        out_ << printable(listed.name) << ", " << printable(unused) << ": matches no race\n";
      }
      out_ << printable(listed.name) << ": "
           << counted(listed.pairs, "pair of source lines is suppressed",
                      "pairs of source lines are suppressed")
           << '\n';
    }
    for (const ExpectedRaces& expected : report_.expected) {
      out_ << place(expected.at) << ": "
           << (expected.races == 0 ? "a race was expected, and there was none"
                                   : counted(expected.races, "race was expected", "races were expected"))
           << " (" << printable(expected.why) << ")\n";
    }
  }

  [[nodiscard]] std::string ending() const {
    const RunFacts& run = report_.run;
    if (run.interrupted) return "the program was interrupted by Ctrl-C";
    if (run.signal != 0) return "the program was ended by " + signal_name(run.signal);
    if (run.exit_code != 0) return "the program ended with exit code " + std::to_string(run.exit_code);
    return {};
  }

  void write_summary() {
    write_intended();
    write_baseline();
    const bool is_clean = report_.verdict == findings::Verdict::clean;
    const bool is_unknown = report_.verdict == findings::Verdict::unknown;
    out_ << styled(is_clean ? Style::good : is_unknown ? Style::doubtful : Style::bad, answer()) << '\n';

    if (report_.run.is_joins_only()) {
      out_ << styled(Style::dim, "join policy " + report_.run.joins + ", " + fixed(report_.run.seconds, 2) +
                                     " s, peak " + bytes_for_people(report_.run.peak_bytes))
           << '\n';
      if (const std::string how = ending(); !how.empty()) out_ << how << '\n';
      return;
    }
    if (const auto& exploration = report_.run.exploration) {
      const bool choices = exploration->any_choice_made;
      out_ << styled(Style::dim, counted(exploration->orders, "order", "orders") + " of isolated sections" +
                                     (choices ? " and choices of await_one, " : ", ") +
                                     counted(exploration->states, "state", "states") + ", at most " +
                                     (choices ? std::to_string(exploration->deepest) + " of both"
                                              : counted(exploration->deepest, "section", "sections")) +
                                     " in one run, " + fixed(report_.run.seconds, 2) + " s")
           << '\n';
      if (const std::string how = ending(); !how.empty()) out_ << how << '\n';
      return;
    }
    const record::Counters& counters = report_.counters;
    std::string line = counted(counters.tasks, "task", "tasks") + " (" + std::to_string(counters.asyncs) +
                       " async, " + counted(counters.futures, "future", "futures") + "), " +
                       counted(counters.finishes, "finish", "finishes") + ", " +
                       counted(counters.gets, "get", "gets") + ", ";
    if (counters.isolated > 0) line += std::to_string(counters.isolated) + " isolated, ";
    line += counted(counters.reads, "read", "reads") + " and " + counted(counters.writes, "write", "writes") +
            " checked, " + fixed(report_.run.seconds, 2) + " s, peak " +
            bytes_for_people(report_.run.peak_bytes);
    out_ << styled(Style::dim, std::move(line)) << '\n';
    if (const std::string how = ending(); !how.empty()) out_ << how << '\n';
    if (const std::string next = next_command(); !next.empty()) out_ << next << '\n';
  }

  // What to run now; empty: nothing more to be had.
  [[nodiscard]] std::string next_command() const {
    // What was found in an order of isolated sections need not be there in another one.
    if (report_.run.typed.empty() || report_.run.exploration || report_.run.detector == "explore") return {};
    if (!report_.findings.races.empty() && report_.remedies.empty() && has_news(report_)) {
      return "next: anyorder check --explain -- " + report_.run.typed + "   (which join is missing)";
    }
    return {};
  }

  std::ostream& out_;
  const Report& report_;
  Page page_;
};

}  // namespace

void write_text(std::ostream& out, const Report& report, const TextStyle& style) {
  Writer(out, report, style).write();
}

}  // namespace anyorder::report
