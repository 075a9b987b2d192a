// What processes left behind becomes one report: verdicts, sums, names, groups.
#include <array>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "sample.hpp"
#include "this_process.hpp"

namespace anyorder::report {

alignas(64) std::array<int, 16> racy_array{};

namespace {

using findings::Coverage;
using findings::Race;
using findings::Verdict;
using record::Ending;

std::vector<Race> all_races(const Report& report) {
  std::vector<Race> races;
  for (const auto& group : report.findings.races) {
    races.insert(races.end(), group.races.begin(), group.races.end());
  }
  return races;
}

RunFacts facts() { return {{"./app", "1"}, "graph", 0, 0, false, 0.5, 1000}; }

findings::Deadlock deadlock() {
  return {{{2, findings::WaitKind::get, findings::Trace({line("/app/app.cpp", 20, "f")}), {}},
           {1, findings::WaitKind::get, findings::Trace({line("/app/app.cpp", 21, "g")}), {}}}};
}

struct VerdictCase {
  const char* name;
  bool any_process;
  bool instrumented;
  Ending ending;
  bool race;
  bool deadlock;
  bool unsupported;
  Verdict verdict;
  std::size_t unsupported_entries;
};

class VerdictTable : public testing::TestWithParam<VerdictCase> {};

TEST_P(VerdictTable, Holds) {
  const VerdictCase& row = GetParam();
  std::vector<record::Process> processes;
  if (row.any_process) {
    record::Process process = row.race ? process_with({race_on_counter()}) : clean_process();
    process.instrumented = row.instrumented;
    process.ending = row.ending;
    if (row.deadlock) process.findings.deadlocks.push_back(deadlock());
    if (row.unsupported) process.findings.unsupported.push_back({"future", "Not with this detector.", {}, 1});
    processes.push_back(process);
  }
  const Report report = make_report(processes, facts());
  EXPECT_EQ(report.verdict, row.verdict);
  EXPECT_EQ(report.verdict, report.findings.verdict());
  EXPECT_EQ(report.findings.unsupported.size(), row.unsupported_entries);
}

INSTANTIATE_TEST_SUITE_P(
    Report, VerdictTable,
    testing::Values(
        VerdictCase{"clean", true, true, Ending::complete, false, false, false, Verdict::clean, 0},
        VerdictCase{"race", true, true, Ending::complete, true, false, false, Verdict::race, 0},
        VerdictCase{"deadlock", true, true, Ending::complete, false, true, false, Verdict::deadlock, 0},
        VerdictCase{"race_before_deadlock", true, true, Ending::complete, true, true, false, Verdict::race,
                    0},
        VerdictCase{"unsupported", true, true, Ending::complete, false, false, true, Verdict::unknown, 1},
        VerdictCase{"cut_short", true, true, Ending::cut_short, false, false, false, Verdict::unknown, 1},
        VerdictCase{"exit_in_task", true, true, Ending::inside_task, false, false, false, Verdict::unknown,
                    1},
        VerdictCase{"race_stands_though_cut_short", true, true, Ending::cut_short, true, false, false,
                    Verdict::race, 1},
        VerdictCase{"no_process", false, false, Ending::complete, false, false, false, Verdict::unknown, 1},
        VerdictCase{"no_instrumentation", true, false, Ending::complete, false, false, false,
                    Verdict::unknown, 1},
        VerdictCase{"deadlock_without_instrumentation", true, false, Ending::complete, false, true, false,
                    Verdict::deadlock, 0},
        VerdictCase{"neither_instrumented_nor_complete", true, false, Ending::cut_short, false, false, false,
                    Verdict::unknown, 2}),
    [](const auto& row) { return row.param.name; });

std::string why_cut_short(Ending ending, RunFacts run) {
  record::Process process = clean_process();
  process.ending = ending;
  const Report report = make_report({process}, std::move(run));
  return report.findings.unsupported.size() == 1 ? report.findings.unsupported.front().why : "";
}

TEST(MakeReport, SaysHowTheProgramWasCutShort) {
  const std::string rest = " before all its tasks had ended: what it would have done later is not checked.";
  RunFacts run = facts();
  EXPECT_EQ(why_cut_short(Ending::cut_short, run), "A process of the program ended without a word" + rest);
  EXPECT_EQ(why_cut_short(Ending::inside_task, run),
            "The program called exit inside a task or a finish," + rest);
  run.signal = SIGSEGV;
  EXPECT_EQ(why_cut_short(Ending::cut_short, run), "The program was ended by SIGSEGV" + rest);
  run.signal = SIGINT;
  run.interrupted = true;
  EXPECT_EQ(why_cut_short(Ending::cut_short, run), "The program was interrupted by Ctrl-C" + rest);
}

TEST(MakeReport, SaysThatThereWasNoRoomForRecords) {
  RunFacts run = facts();
  run.out_of_room = true;
  EXPECT_NE(why_cut_short(Ending::cut_short, run).find("Set TMPDIR to a folder with more room."),
            std::string::npos);
  const Report nothing = make_report({}, run);
  ASSERT_EQ(nothing.findings.unsupported.size(), 1U);
  EXPECT_EQ(nothing.findings.unsupported.front().construct, "record of the run");
  EXPECT_EQ(make_report({clean_process()}, run).verdict, Verdict::clean);  // all of it was there
}

// It may have been ended because it hung, in what a join policy does not see.
TEST(MakeReport, ARunUnderAPolicyIsNotCleanIfASignalEndedIt) {
  RunFacts run = facts();
  run.detector = "";
  for (const char* policy : {"known", "off"}) {
    run.joins = policy;
    run.signal = 0;
    run.interrupted = true;  // and the program ended by itself
    EXPECT_EQ(make_report({clean_process()}, run).verdict, Verdict::clean) << policy;
    run.signal = SIGINT;
    EXPECT_EQ(make_report({clean_process()}, run).verdict, Verdict::unknown) << policy;
    EXPECT_EQ(why_cut_short(Ending::complete, run),
              "The program was interrupted by Ctrl-C: there was no deadlock of futures until then.");
    run.interrupted = false;
    run.signal = SIGSEGV;
    EXPECT_EQ(why_cut_short(Ending::cut_short, run),
              "The program was ended by SIGSEGV: there was no deadlock of futures until then.");
  }
}

TEST(MakeReport, SaysWhatToDoAboutAProgramWithoutInstrumentation) {
  const Report report = make_report({}, facts());
  ASSERT_EQ(report.findings.unsupported.size(), 1U);
  EXPECT_NE(report.findings.unsupported.front().why.find("compile and link it with `anyorder c++`"),
            std::string::npos);
}

TEST(MakeReport, OneInstrumentedProcessWillDo) {
  record::Process shell = clean_process();
  shell.instrumented = false;
  EXPECT_EQ(make_report({shell, clean_process()}, facts()).verdict, Verdict::clean);
}

TEST(MakeReport, TakesSeveralProcessesTogether) {
  record::Process one = process_with({race_on_counter()});
  one.counters = {10, 6, 4, 3, 2, 1, 100, 50, 7};
  one.notes = {"a", "b"};
  one.statistics = {{"non_tree_joins", 3}, {"average_readers", 1.0}, {"longest_query", 8}, {"visits/0", 1}};
  Race elsewhere = race_on_counter();
  elsewhere.address = 0x2000;
  elsewhere.memory = {0x2000, findings::GlobalMemory{"other"}};
  record::Process two = process_with({elsewhere});
  two.counters = {1, 1, 1, 1, 1, 1, 449, 1, 1};
  two.notes = {"b", "c"};
  two.statistics = {{"average_readers", 2.0},
                    {"non_tree_joins", 4},
                    {"longest_query", 5},
                    {"visits/0", 2},
                    {"visits/1", 3}};
  two.coverage = Coverage::one_isolated_order;

  const Report report = make_report({one, two}, facts());
  EXPECT_EQ(report.findings.race_count(), 2U);
  EXPECT_EQ(report.findings.races.size(), 1U);  // one pair of lines
  EXPECT_EQ(report.coverage, Coverage::one_isolated_order);
  EXPECT_EQ(report.notes, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(report.counters.tasks, 11U);
  EXPECT_EQ(report.counters.asyncs, 7U);
  EXPECT_EQ(report.counters.futures, 5U);
  EXPECT_EQ(report.counters.finishes, 4U);
  EXPECT_EQ(report.counters.gets, 3U);
  EXPECT_EQ(report.counters.isolated, 2U);
  EXPECT_EQ(report.counters.reads, 549U);
  EXPECT_EQ(report.counters.writes, 51U);
  EXPECT_EQ(report.counters.atomics, 8U);
  EXPECT_EQ(report.statistics, (std::vector<std::pair<std::string, double>>{{"non_tree_joins", 7},
                                                                            {"average_readers", 1.75},
                                                                            {"longest_query", 8},
                                                                            {"visits/0", 3},
                                                                            {"visits/1", 3}}));
  EXPECT_EQ(report.run.command, facts().command);
}

[[gnu::noinline]] std::uintptr_t write_place(int& argument) {
  const std::uintptr_t pc = here();
  ++argument;
  return pc;
}

[[gnu::noinline]] std::uintptr_t read_place(int& argument) {
  const std::uintptr_t pc = here();
  --argument;
  return pc;
}

Race race_at(std::uintptr_t first, std::uintptr_t second, std::uintptr_t address, std::uint64_t size) {
  Race race;
  race.address = address;
  race.size = size;
  race.first = {findings::AccessKind::write, 1, findings::Trace({findings::Frame{first, {}}}), {}};
  race.second = {findings::AccessKind::read, 2, findings::Trace({findings::Frame{second, {}}}), {}};
  return race;
}

TEST(MakeReport, NamesCodeAndGlobals) {
  int argument = 0;
  record::Process process = this_process();
  findings::FindingSet set;
  set.add(race_at(write_place(argument), read_place(argument), address_of(&racy_array[3]), 4));
  process.findings = set.snapshot();
  const std::vector<Race> races = all_races(make_report({process}, facts()));
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].memory.base, address_of(&racy_array));
  EXPECT_EQ(races[0].offset(), 12U);
  EXPECT_EQ(std::get<findings::GlobalMemory>(races[0].memory.object).symbol, "anyorder::report::racy_array");
  EXPECT_NE(races[0].first.site().source.function.find("write_place(int&)"), std::string::npos);
  EXPECT_NE(races[0].second.site().source.function.find("read_place(int&)"), std::string::npos);
  EXPECT_EQ(races[0].second.site().source.file, __FILE__);
}

TEST(MakeReport, SplitsARaceAtTheBordersOfObjects) {
  int argument = 0;
  record::Process process = this_process();
  // From before the array to behind it: what is there is other globals, or nothing with a name.
  const std::uintptr_t array = address_of(&racy_array);
  const std::uintptr_t begin = array - 40;
  const std::uint64_t size = 40 + sizeof(racy_array) + 40;
  findings::FindingSet set;
  set.add(race_at(write_place(argument), read_place(argument), begin, size));
  process.findings = set.snapshot();

  std::uintptr_t next = begin;
  bool array_is_whole = false;
  for (const Race& race : all_races(make_report({process}, facts()))) {
    EXPECT_EQ(race.address, next);  // every byte, once
    next = race.address + race.size;
    const auto* global = std::get_if<findings::GlobalMemory>(&race.memory.object);
    if (global != nullptr && global->symbol == "anyorder::report::racy_array") {
      array_is_whole = race.address == array && race.size == sizeof(racy_array) && race.memory.base == array;
    } else {
      EXPECT_TRUE(next <= array || race.address >= array + sizeof(racy_array));
    }
  }
  EXPECT_EQ(next, begin + size);
  EXPECT_TRUE(array_is_whole);
}

struct LocalSeen {
  std::uintptr_t pc = 0;
  std::uintptr_t other_pc = 0;
  std::uintptr_t cfa = 0;
  std::uintptr_t variable = 0;
};

__attribute__((noinline, no_sanitize("address"))) void function_with_local(LocalSeen& seen) {
  std::array<int, 6> shared{};
  asm volatile("" : : "r"(&shared) : "memory");
  seen = {here(), here(), address_of(__builtin_dwarf_cfa()), address_of(&shared)};
  asm volatile("" : : "r"(&shared) : "memory");
}

TEST(MakeReport, NamesLocals) {
  LocalSeen seen;
  function_with_local(seen);
  int argument = 0;
  Race race = race_at(write_place(argument), read_place(argument), seen.variable + 4, 8);
  findings::FindingSet set;
  for (const std::uintptr_t pc : {seen.pc, seen.other_pc}) {
    race.memory = {0, findings::LocalMemory{"", "", pc, seen.cfa}};
    set.add(race);
  }
  // Behind the variable there are bytes without a name.
  race.address = seen.variable - 4;
  race.memory = {0, findings::LocalMemory{"", "", seen.pc, seen.cfa}};
  set.add(race);
  record::Process process = this_process();
  process.findings = set.snapshot();

  std::uint64_t bytes_of_variable = 0;
  for (const Race& found : all_races(make_report({process}, facts()))) {
    const auto& local = std::get<findings::LocalMemory>(found.memory.object);
    EXPECT_NE(local.function.find("function_with_local"), std::string::npos);
    if (local.variable != "shared") continue;
    EXPECT_EQ(found.memory.base, seen.variable);
    EXPECT_GE(found.address, seen.variable);
    bytes_of_variable += found.size;
  }
  EXPECT_EQ(bytes_of_variable, 12U);  // seen from two places in the function, but one variable
}

TEST(MakeReport, ManyRacesOnFewPairsOfLinesAreFewGroups) {
  constexpr std::uint64_t kRaces = 10000;
  record::Process process = clean_process();
  findings::FindingSet set;
  for (std::uint64_t i = 0; i < kRaces; ++i) {
    Race race = race_on(0x100000 + 8 * i, 4, {0x100000, findings::GlobalMemory{"list"}});
    race.first.task = 2 * i;
    race.second.task = 2 * i + 1;
    race.second.stack = findings::Trace({line("/app/app.cpp", 100 + static_cast<std::uint32_t>(i % 3), "f")});
    set.add(race);
  }
  process.findings = set.snapshot();
  const auto start = std::chrono::steady_clock::now();
  const Report report = make_report({process}, facts());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(report.findings.races.size(), 3U);
  EXPECT_EQ(report.findings.race_count(), kRaces);
  EXPECT_LT(took.count(), 5.0);  // some 30 ms; a search per race through all of a symbol table takes longer
}

TEST(MakeReport, NamesDeadlocksAndWhatIsUnsupported) {
  int argument = 0;
  const std::uintptr_t pc = write_place(argument);
  const findings::Trace trace({findings::Frame{pc, {}}});
  record::Process process = this_process();
  process.findings.deadlocks.push_back({{{1, findings::WaitKind::get, trace, trace}}});
  process.findings.unsupported.push_back({"isolated", "Not here.", trace, 4});
  const Report report = make_report({process}, facts());
  ASSERT_EQ(report.findings.deadlocks.size(), 1U);
  const findings::Wait& wait = report.findings.deadlocks[0].cycle.at(0);
  EXPECT_EQ(wait.waits_at.innermost().source.file, __FILE__);
  EXPECT_EQ(wait.created_at.innermost().source.file, __FILE__);
  ASSERT_EQ(report.findings.unsupported.size(), 1U);
  EXPECT_EQ(report.findings.unsupported[0].where.innermost().source.file, __FILE__);
  EXPECT_EQ(report.findings.unsupported[0].count, 4U);
}

}  // namespace
}  // namespace anyorder::report
