// The report for people. Findings first, the answer last, where a terminal ends.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "findings/own_code.hpp"
#include "report/hexadecimal.hpp"
#include "report/report.hpp"
#include "report/signals.hpp"

namespace anyorder::report {

namespace {

using findings::Frame;
using findings::Race;
using findings::Trace;

constexpr std::size_t kMostEntries = 50;  // of a kind of finding; the JSON has all
constexpr std::size_t kMostCreations = 3;
constexpr std::size_t kMostCallers = 3;
constexpr std::size_t kMostSections = 40;
constexpr std::size_t kMostObjects = 3;  // besides the one in the headline

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string fixed(double value, int decimals) {
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value);
  return digits.data();
}

std::string bytes_for_people(std::uint64_t bytes) {
  constexpr std::uint64_t kMebi = 1024ULL * 1024;
  if (bytes < kMebi) return std::to_string((bytes + 1023) / 1024) + " KiB";
  if (bytes < 10 * kMebi) return fixed(static_cast<double>(bytes) / kMebi, 1) + " MiB";
  return std::to_string((bytes + kMebi / 2) / kMebi) + " MiB";
}

// The places that races are on. Entries that overlap, as a read and a write of one variable do, are on one.
std::uint64_t count_locations(std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t count = 0;
  std::uintptr_t end = 0;
  for (const auto& range : ranges) {
    if (count == 0 || range.first >= end) ++count;
    end = std::max(end, range.second);
  }
  return count;
}

std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges_of(const std::vector<Race>& races) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;
  ranges.reserve(races.size());
  for (const Race& race : races) ranges.emplace_back(race.address, race.address + race.size);
  return ranges;
}

class Writer {
 public:
  Writer(std::ostream& out, const Report& report, const TextStyle& style)
      : out_(out), report_(report), style_(style) {
    std::error_code error;
    here_ = std::filesystem::current_path(error).string();
    if (!here_.empty() && here_.back() != '/') here_ += '/';
  }

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
  static constexpr std::string_view kRed = "\033[1;31m";
  static constexpr std::string_view kGreen = "\033[1;32m";
  static constexpr std::string_view kYellow = "\033[1;33m";
  static constexpr std::string_view kDim = "\033[2m";

  [[nodiscard]] std::string styled(std::string_view style, std::string text) const {
    if (!style_.colour || text.empty()) return text;
    return std::string(style) + std::move(text) + "\033[0m";
  }

  [[nodiscard]] std::string place(const Frame& frame) const {
    std::string text;
    if (frame.source.known()) {
      std::string_view file = frame.source.file;
      if (!here_.empty() && file.starts_with(here_)) file.remove_prefix(here_.size());
      text = std::string(file) + ':' + std::to_string(frame.source.line);
    } else if (frame.pc != 0) {
      text = hexadecimal(frame.pc);
      if (!frame.module.empty()) text += " of " + frame.module;
    } else {
      text = "an unknown place";
    }
    if (!frame.source.function.empty()) text += " in " + frame.source.function;
    return text;
  }

  [[nodiscard]] std::string task(std::uint64_t number, const Trace& created_at) const {
    std::string text = number == 0 ? "the main task" : "task " + std::to_string(number);
    std::size_t shown = 0;
    for (const Frame& frame : created_at) {
      if (shown == kMostCreations) break;
      text += (shown == 0 ? ", created at " : "; its parent at ") + place(frame);
      ++shown;
    }
    if (created_at.size() > shown) text += "; … (" + std::to_string(created_at.size() - shown) + " more)";
    return text;
  }

  [[nodiscard]] std::string object(const Race& race) const {
    const std::string size = counted(race.size, "byte", "bytes");
    const bool is_inside = race.memory.base != 0 && race.offset() != 0;
    const std::string offset = is_inside ? "offset " + std::to_string(race.offset()) + " of " : "";
    if (const auto* global = std::get_if<findings::GlobalMemory>(&race.memory.object)) {
      return offset + '`' + global->symbol + "` (global, " + size + ')';
    }
    if (const auto* heap = std::get_if<findings::HeapMemory>(&race.memory.object)) {
      std::string text = offset + "a heap block";
      if (!heap->allocated_at.empty()) {
        text += " allocated at " + place(findings::frame_in_own_code(heap->allocated_at));
      }
      return text + " (" + size + ')';
    }
    if (const auto* local = std::get_if<findings::LocalMemory>(&race.memory.object)) {
      const std::string owner = local->function.empty() ? "a function" : local->function;
      if (local->variable.empty()) return "a local of " + owner + " (" + size + ')';
      return offset + '`' + local->variable + "`, a local of " + owner + " (" + size + ')';
    }
    return "memory at " + hexadecimal(race.address) + " (" + size + ')';
  }

  void write_access(const findings::Access& access) {
    const std::string kind(findings::to_string(access.kind));
    const Frame& site = access.site();
    out_ << "  " << kind << std::string(7 - kind.size(), ' ') << "at " << place(site) << '\n';

    // The callers that are the user's own; what lies between them is in the JSON.
    std::vector<const Frame*> callers;
    bool is_behind_site = false;
    for (const Frame& frame : access.stack) {
      if (is_behind_site && frame.source.known() && !findings::is_library_file(frame.source.file)) {
        callers.push_back(&frame);
      }
      is_behind_site = is_behind_site || &frame == &site;
    }
    constexpr std::string_view kIndent = "         ";
    for (std::size_t i = 0; i < std::min(callers.size(), kMostCallers); ++i) {
      out_ << kIndent << styled(kDim, "called at " + place(*callers[i])) << '\n';
    }
    if (callers.size() > kMostCallers) {
      out_ << kIndent << styled(kDim, "… (" + std::to_string(callers.size() - kMostCallers) + " more)")
           << '\n';
    }
    out_ << kIndent << styled(kDim, "by " + task(access.task, access.created_at)) << '\n';
  }

  // The same two lines may race on more than one variable.
  void write_other_objects(const std::vector<Race>& races, const Race& shown) {
    std::vector<const Race*> others;
    for (const Race& race : races) {
      const auto is_same = [&](const Race* other) { return other->memory == race.memory; };
      if (race.memory == shown.memory || std::any_of(others.begin(), others.end(), is_same)) continue;
      if (std::holds_alternative<findings::UnknownMemory>(race.memory.object)) continue;
      others.push_back(&race);
      if (others.size() == kMostObjects) break;
    }
    for (const Race* race : others) out_ << "  also on " << object(*race) << '\n';
  }

  void write_races() {
    const auto& groups = report_.findings.races;
    for (std::size_t i = 0; i < std::min(groups.size(), kMostEntries); ++i) {
      const std::vector<Race>& races = groups[i].races;
      // `x++` in two tasks races in three ways: the writes tell it best.
      const auto shown = std::min_element(races.begin(), races.end(),
                                          [](const Race& a, const Race& b) { return a.kind() < b.kind(); });
      out_ << styled(kRed, std::string(findings::to_string(shown->kind())) + " race on " + object(*shown));
      const std::uint64_t locations = count_locations(ranges_of(races));
      if (locations > 1) {
        out_ << "  [" << locations << " locations, " << counted(groups[i].bytes(), "byte", "bytes") << ']';
      }
      out_ << '\n';
      write_other_objects(races, *shown);
      write_access(shown->first);
      write_access(shown->second);
      out_ << '\n';
    }
    write_rest(groups.size(), "pair of source lines that races", "pairs of source lines that race");
  }

  void write_deadlocks() {
    const auto& deadlocks = report_.findings.deadlocks;
    for (std::size_t i = 0; i < std::min(deadlocks.size(), kMostEntries); ++i) {
      const auto& cycle = deadlocks[i].cycle;
      const std::string what = cycle.size() == 1
                                   ? "a task waits for itself"
                                   : std::to_string(cycle.size()) + " tasks wait for each other";
      out_ << styled(kRed, "deadlock: " + what) << '\n';
      for (std::size_t at = 0; at < cycle.size(); ++at) {
        const findings::Wait& wait = cycle[at];
        const std::uint64_t next = cycle[(at + 1) % cycle.size()].task;
        out_ << "  " << task(wait.task, wait.created_at) << '\n'
             << "    waits for " << task(next, {}) << " (" << findings::to_string(wait.kind) << ") at "
             << place(findings::frame_in_own_code(wait.waits_at)) << '\n';
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
      out_ << styled(join.excused ? kYellow : kRed, std::move(what)) << '\n'
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
      out_ << styled(kYellow, std::move(what)) << "\n  " << unsupported.why << "\n\n";
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
    if (!sections.empty()) out_ << "the isolated sections ran in this order:\n";
    for (std::size_t i = 0; i < std::min(sections.size(), kMostSections); ++i) {
      const Frame frame{0, {sections[i].file, sections[i].line, 0, {}}};
      out_ << "  " << place(frame) << ", of " << task(sections[i].task, {}) << '\n';
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
        std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;
        for (const findings::RaceGroup& group : found.races) {
          const auto more = ranges_of(group.races);
          ranges.insert(ranges.end(), more.begin(), more.end());
        }
        const std::string answer =
            "race: " +
            counted(found.races.size(), "pair of source lines races", "pairs of source lines race") +
            ", on " + counted(count_locations(std::move(ranges)), "location", "locations");
        return found.deadlocks.empty() ? answer : answer + "; " + deadlocks;
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
    return report_.coverage == findings::Coverage::all_schedules
               ? "clean: no race on any schedule of this input"
               : "clean: no race in this order of the isolated sections; run `anyorder explore` for the "
                 "others";
  }

  [[nodiscard]] std::string ending() const {
    const RunFacts& run = report_.run;
    if (run.interrupted) return "the program was interrupted by Ctrl-C";
    if (run.signal != 0) return "the program was ended by " + signal_name(run.signal);
    if (run.exit_code != 0) return "the program ended with exit code " + std::to_string(run.exit_code);
    return {};
  }

  void write_summary() {
    const bool is_clean = report_.verdict == findings::Verdict::clean;
    const bool is_unknown = report_.verdict == findings::Verdict::unknown;
    out_ << styled(is_clean ? kGreen : is_unknown ? kYellow : kRed, answer()) << '\n';

    if (report_.run.is_joins_only()) {
      out_ << styled(kDim, "join policy " + report_.run.joins + ", " + fixed(report_.run.seconds, 2) +
                               " s, peak " + bytes_for_people(report_.run.peak_bytes))
           << '\n';
      if (const std::string how = ending(); !how.empty()) out_ << how << '\n';
      return;
    }
    if (const auto& exploration = report_.run.exploration) {
      out_ << styled(kDim, counted(exploration->orders, "order", "orders") + " of isolated sections, " +
                               counted(exploration->states, "state", "states") + ", at most " +
                               counted(exploration->deepest, "section", "sections") + " in one run, " +
                               fixed(report_.run.seconds, 2) + " s")
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
    out_ << styled(kDim, std::move(line)) << '\n';
    if (const std::string how = ending(); !how.empty()) out_ << how << '\n';
  }

  std::ostream& out_;
  const Report& report_;
  const TextStyle& style_;
  std::string here_;  // the current directory, with a '/' at its end
};

}  // namespace

void write_text(std::ostream& out, const Report& report, const TextStyle& style) {
  Writer(out, report, style).write();
}

}  // namespace anyorder::report
