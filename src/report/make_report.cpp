#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "report/allocations.hpp"
#include "report/ends_of_calls.hpp"
#include "report/globals.hpp"
#include "report/image.hpp"
#include "report/locals.hpp"
#include "report/producer.hpp"
#include "report/report.hpp"
#include "report/signals.hpp"
#include "report/source_files.hpp"
#include "report/symbolizer.hpp"
#include "report/types.hpp"

namespace anyorder::report {

namespace {

using findings::FindingSet;

std::optional<std::filesystem::file_time_type> when_built(const std::string& program) {
  std::error_code error;
  const auto built = std::filesystem::last_write_time(program, error);
  return error ? std::nullopt : std::optional(built);
}

// Gives the findings of one process their names and lines, and hands them on.
class Naming {
 public:
  using TypesOfObjects = std::map<findings::Memory, std::shared_ptr<const ObjectType>>;

  Naming(const record::Process& process, FindingSet& named, TypesOfObjects& types_of_objects)
      : image_(process.modules, process.program),
        allocations_(image_, types_, symbolizer_, SourceFiles(when_built(process.program))),
        named_(named),
        types_of_objects_(types_of_objects) {}

  void add(findings::Race race) {
    for (findings::Access* access : {&race.first, &race.second}) {
      access->stack = symbolizer_.stack(access->stack);
      access->created_at = symbolizer_.creations(access->created_at);
    }
    if (auto* heap = std::get_if<findings::HeapMemory>(&race.memory.object)) {
      auto type = allocations_.type_of(heap->allocated_at, heap->bytes);
      heap->allocated_at = symbolizer_.stack(heap->allocated_at);
      if (type) types_of_objects_.try_emplace(race.memory, std::move(type));
    }
    // Neighbouring bytes of one pair of accesses came as one race, whichever objects they are in.
    const std::uintptr_t end = race.address + race.size;
    const findings::Memory recorded = race.memory;
    while (race.address < end) {
      const std::uintptr_t rest = name_memory(recorded, race.address, end, race.memory);
      race.size = rest - race.address;
      named_.add(race);
      race.address = rest;
    }
  }

  void add(findings::Deadlock deadlock) {
    for (findings::Wait& wait : deadlock.cycle) {
      wait.waits_at = symbolizer_.stack(wait.waits_at);
      wait.created_at = symbolizer_.creations(wait.created_at);
    }
    named_.add(deadlock);
  }

  void add(findings::UnknownJoin join) {
    join.got_at = symbolizer_.stack(join.got_at);
    join.created_at = symbolizer_.creations(join.created_at);
    join.future_created_at = symbolizer_.creations(join.future_created_at);
    named_.add(join);
  }

  [[nodiscard]] findings::Remedy named(findings::Remedy remedy) {
    remedy.first = symbolizer_.stack(remedy.first);
    remedy.second = symbolizer_.stack(remedy.second);
    if (!remedy.before.source.known()) remedy.before = findings::frame_in_own_code(remedy.second);
    return remedy;
  }

  void add(findings::Unsupported unsupported) {
    unsupported.where = symbolizer_.stack(unsupported.where);
    named_.add(unsupported);
  }

 private:
  // Sets `named` to the object at `address`, and returns how far it holds the bytes up to `end`.
  std::uintptr_t name_memory(const findings::Memory& recorded, std::uintptr_t address, std::uintptr_t end,
                             findings::Memory& named) {
    named = recorded;
    if (std::holds_alternative<findings::UnknownMemory>(recorded.object)) {
      Extent extent = globals_.at(address, end);
      if (!extent.name.empty()) named = {extent.base, findings::GlobalMemory{std::move(extent.name)}};
      if (extent.type) types_of_objects_.try_emplace(named, std::move(extent.type));
      return extent.end;
    }
    if (auto* local = std::get_if<findings::LocalMemory>(&named.object)) {
      if (local->function.empty()) local->function = symbolizer_.function_at(local->pc);
      if (!local->variable.empty()) return end;
      Extent extent = locals_.at(local->pc, local->cfa, address, end);
      named.base = extent.base;
      local->variable = std::move(extent.name);
      if (!extent.function.empty()) local->function = std::move(extent.function);
      // One variable is one object, from wherever in the function it was seen.
      local->pc = locals_.entry_of(local->pc);
      if (extent.type) types_of_objects_.try_emplace(named, std::move(extent.type));
      return extent.end;
    }
    return end;
  }

  Image image_;
  Symbolizer symbolizer_{image_};
  Types types_;
  Globals globals_{image_, types_};
  Locals locals_{image_, types_};
  Allocations allocations_;
  FindingSet& named_;
  TypesOfObjects& types_of_objects_;
};

using Remedies = decltype(Report::remedies);

void add_remedy(Remedies& remedies, const findings::Remedy& remedy) {
  std::vector<findings::Remedy>& known = remedies[sites_of(remedy.first, remedy.second)];
  const auto like = std::find_if(known.begin(), known.end(), [&](const findings::Remedy& other) {
    return findings::same_change(remedy, other);
  });
  if (like == known.end()) {
    known.push_back(remedy);
  } else {
    like->pairs += remedy.pairs;
  }
}

// Takes the races that the program expects out of the findings; a call in a loop is one place.
findings::Findings without_expected(const record::Process& process, std::vector<ExpectedRaces>& places) {
  findings::Findings found = process.findings;
  std::vector<std::size_t> place_of;  // of each expectation
  for (const record::ExpectedRace& expected : process.expected) {
    const auto known = std::find_if(places.begin(), places.end(), [&](const ExpectedRaces& place) {
      return findings::site_of(place.at) == findings::site_of(expected.at) && place.why == expected.why;
    });
    place_of.push_back(static_cast<std::size_t>(known - places.begin()));
    if (known == places.end()) places.push_back({expected.at, expected.why, 0});
  }
  if (place_of.empty()) return found;
  for (findings::RaceGroup& group : found.races) {
    std::erase_if(group.races, [&](const findings::Race& race) {
      for (std::size_t i = 0; i < place_of.size(); ++i) {
        const record::ExpectedRace& expected = process.expected[i];
        if (race.address < expected.begin || race.address + race.size > expected.end) continue;
        ++places[place_of[i]].races;
        return true;
      }
      return false;
    });
  }
  std::erase_if(found.races, [](const findings::RaceGroup& group) { return group.races.empty(); });
  return found;
}

// Whether each of the two lines reads and writes the same bytes: then all three kinds of race are there.
bool are_updates(const findings::RaceGroup& group) {
  enum : unsigned { write_write = 1, read_then_write = 2, write_then_read = 4, all = 7 };
  std::map<std::uintptr_t, unsigned> kinds;
  for (const findings::Race& race : group.races) {
    const findings::Site first = findings::site_of(race.first.site());
    const findings::Site second = findings::site_of(race.second.site());
    const findings::Access& low = second < first ? race.second : race.first;
    const findings::Access& high = second < first ? race.first : race.second;
    unsigned kind = write_write;
    if (low.kind == findings::AccessKind::read) kind = read_then_write;
    if (high.kind == findings::AccessKind::read) kind = write_then_read;
    if (kind != write_write && first == second) kind = read_then_write | write_then_read;
    if ((kinds[race.address] |= kind) == all) return true;
  }
  return false;
}

// Exclusion is a way out only for updates: of others the order would still decide the result.
void add_isolated(Report& report) {
  for (const findings::RaceGroup& group : report.findings.races) {
    const findings::Race& race = group.races.front();
    const auto known = report.remedies.find(sites_of(race.first.stack, race.second.stack));
    if (known == report.remedies.end() || !are_updates(group)) continue;
    findings::Remedy isolated;
    isolated.kind = findings::RemedyKind::isolated;
    isolated.first = race.first.stack;
    isolated.second = race.second.stack;
    isolated.later = known->second.front().later;
    isolated.later_at = known->second.front().later_at;
    isolated.later_end = known->second.front().later_end;
    known->second.insert(known->second.begin(), isolated);
  }
}

void add_all(const record::Process& process, FindingSet& named, Report& report) {
  const findings::Findings found = without_expected(process, report.expected);
  if (found.races.empty() && found.deadlocks.empty() && found.unknown_joins.empty() &&
      found.unsupported.empty()) {
    return;
  }
  Naming naming(process, named, report.types);
  for (const findings::RaceGroup& group : found.races) {
    for (const findings::Race& race : group.races) naming.add(race);
  }
  for (const findings::Deadlock& deadlock : found.deadlocks) naming.add(deadlock);
  for (const findings::UnknownJoin& join : found.unknown_joins) naming.add(join);
  for (const findings::Unsupported& unsupported : found.unsupported) naming.add(unsupported);
  for (const findings::Remedy& remedy : process.remedies) add_remedy(report.remedies, naming.named(remedy));
}

// How a run ended that did not come to its end.
std::optional<std::string> end_from_outside(const RunFacts& facts) {
  if (facts.interrupted) return "The program was interrupted by Ctrl-C";
  if (facts.signal != 0) return "The program was ended by " + signal_name(facts.signal);
  return std::nullopt;
}

// What keeps a run in which nothing was found from being clean, beside what its processes said themselves.
void add_what_was_not_checked(const std::vector<record::Process>& processes, const RunFacts& facts,
                              FindingSet& named) {
  const bool is_incomplete =
      std::any_of(processes.begin(), processes.end(),
                  [](const record::Process& process) { return process.ending != record::Ending::complete; });
  if (facts.out_of_room && (is_incomplete || processes.empty())) {
    named.add(
        findings::Unsupported{"record of the run",
                              "There was no room left in the folder for temporary files, where findings are "
                              "kept until the program has ended: some may be missing. Set TMPDIR to a folder "
                              "with more room.",
                              {},
                              1});
    return;
  }
  constexpr std::string_view kNotChecked =
      " before all its tasks had ended: what it would have done later is not checked.";
  for (const record::Process& process : processes) {
    if (process.ending == record::Ending::complete) continue;
    std::string how;
    if (process.ending == record::Ending::inside_task) {
      how = "The program called exit inside a task or a finish,";
    } else if (const auto end = end_from_outside(facts)) {
      how = *end;
    } else {
      how = "A process of the program ended without a word";
    }
    named.add(findings::Unsupported{"end of the program", how.append(kNotChecked), {}, 1});
  }

  const bool any_instrumented =
      std::any_of(processes.begin(), processes.end(),
                  [](const record::Process& process) { return process.instrumented; });
  const findings::Verdict so_far = named.verdict();
  const bool any_found = so_far == findings::Verdict::race || so_far == findings::Verdict::deadlock;
  if (!any_instrumented && !any_found) {
    named.add(findings::Unsupported{
        "program without instrumentation",
        "The program was not compiled with anyorder c++ (or does not link libanyorder as a shared library), "
        "so its accesses to memory were not seen: compile and link it with `anyorder c++`.",
        {},
        1});
  }
}

void add_what_had_no_policy(const std::vector<record::Process>& processes, FindingSet& named) {
  for (const record::Process& process : processes) {
    if (process.instrumented) return;
  }
  named.add(
      findings::Unsupported{"program without tasks",
                            "No join policy was in force: the program used no tasks, or it does not link "
                            "libanyorder as a shared library.",
                            {},
                            1});
}

// It may have hung in what no policy sees, such as a mutex.
void add_end_from_outside(const RunFacts& facts, FindingSet& named) {
  if (facts.signal == 0) return;
  std::string how = *end_from_outside(facts);
  named.add(findings::Unsupported{
      "end of the program", how.append(": there was no deadlock of futures until then."), {}, 1});
}

void add_counters(record::Counters& sum, const record::Counters& counters) {
  sum.tasks += counters.tasks;
  sum.asyncs += counters.asyncs;
  sum.futures += counters.futures;
  sum.finishes += counters.finishes;
  sum.gets += counters.gets;
  sum.isolated += counters.isolated;
  sum.reads += counters.reads;
  sum.writes += counters.writes;
  sum.atomics += counters.atomics;
}

std::vector<std::pair<std::string, double>> statistics_of(const std::vector<record::Process>& processes) {
  struct Sum {
    double value = 0;
    double largest = 0;
    double weighted = 0;
    double weights = 0;
    double processes = 0;
  };
  std::vector<std::string> names;  // in the order in which they came
  std::map<std::string, Sum> sums;
  for (const record::Process& process : processes) {
    for (const auto& [name, value] : process.statistics) {
      const auto [entry, is_new] = sums.try_emplace(name);
      if (is_new) names.push_back(name);
      const auto weight = static_cast<double>(process.counters.reads + process.counters.writes);
      entry->second.value += value;
      entry->second.largest = std::max(entry->second.largest, value);
      entry->second.weighted += value * weight;
      entry->second.weights += weight;
      entry->second.processes += 1;
    }
  }
  std::vector<std::pair<std::string, double>> statistics;
  for (const std::string& name : names) {
    const Sum& sum = sums[name];
    const bool is_sum = !name.starts_with("longest_") && name.find("_per_") == std::string::npos;
    double value = is_sum ? sum.value : sum.largest;
    if (name.starts_with("average_")) {
      value = sum.weights > 0 ? sum.weighted / sum.weights : sum.value / sum.processes;
    }
    statistics.emplace_back(name, value);
  }
  return statistics;
}

void add_once(std::vector<std::string>& notes, const std::string& note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

}  // namespace

std::pair<findings::Site, findings::Site> sites_of(const findings::Trace& first,
                                                   const findings::Trace& second) {
  std::pair<findings::Site, findings::Site> sites{findings::site_of(findings::frame_in_own_code(first)),
                                                  findings::site_of(findings::frame_in_own_code(second))};
  if (sites.second < sites.first) std::swap(sites.first, sites.second);
  return sites;
}

Report make_report(const std::vector<record::Process>& processes, RunFacts facts) {
  Report report;
  FindingSet named;
  for (const record::Process& process : processes) {
    add_all(process, named, report);
    const auto built = when_built(process.program);
    if (built && (!report.built || *report.built < *built)) report.built = built;
    add_counters(report.counters, process.counters);
    if (process.coverage == findings::Coverage::one_isolated_order) report.coverage = process.coverage;
    for (const std::string& note : process.notes) add_once(report.notes, note);
    if (process.instrumented && !facts.is_joins_only() && is_from_forgetful_clang(process.program)) {
      add_once(report.notes,
               "clang before version 21 does not instrument what a function does to elements and members of "
               "its own "
               "local variables, nor accesses of other than 1, 2, 4, 8 or 16 bytes, such as those to long "
               "double; races there are found only if g++ or anyorder's pass in clang 19 instruments the "
               "program.");
    }
  }
  if (facts.is_joins_only()) {
    report.coverage = findings::Coverage::this_schedule;
    if (facts.joins != "off") add_what_had_no_policy(processes, named);
    if (named.verdict() == findings::Verdict::clean) add_end_from_outside(facts, named);
  } else {
    add_what_was_not_checked(processes, facts, named);
  }
  report.statistics = statistics_of(processes);
  report.findings = named.snapshot();
  report.verdict = report.findings.verdict();
  find_ends_of_calls(report);
  add_isolated(report);
  report.run = std::move(facts);
  return report;
}

}  // namespace anyorder::report
