// The report for people, word by word.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"
#include "sample.hpp"

namespace anyorder::report {
namespace {

constexpr const char* kNoCounts =
    "0 tasks (0 async, 0 futures), 0 finishes, 0 gets, 0 reads and 0 writes checked, ";

RunFacts facts() { return {{"./app"}, "graph", 0, 0, false, 0.123, 34ULL << 20U}; }

std::string written(const record::Process& process, const RunFacts& run = facts(), bool colour = false) {
  std::ostringstream out;
  write_text(out, make_report({process}, run), {colour});
  return out.str();
}

// The text with the summary's second line, which the tests of findings have in common, at its end.
std::string with_counts(const std::string& text) { return text + kNoCounts + "0.12 s, peak 34 MiB\n"; }

TEST(Text, ACleanRun) {
  record::Process process = clean_process();
  process.counters = {3, 2, 1, 1, 2, 0, 100, 50, 0};
  EXPECT_EQ(written(process),
            "clean: no race on any schedule of this input\n"
            "3 tasks (2 async, 1 future), 1 finish, 2 gets, 100 reads and 50 writes checked, 0.12 s, peak 34 "
            "MiB\n");
}

TEST(Text, ACleanRunOfOneOrder) {
  record::Process process = clean_process();
  process.counters.isolated = 4;
  process.coverage = findings::Coverage::one_isolated_order;
  EXPECT_EQ(
      written(process),
      "clean: no race in this order of the isolated sections; run `anyorder explore` for the others\n"
      "0 tasks (0 async, 0 futures), 0 finishes, 0 gets, 4 isolated, 0 reads and 0 writes checked, 0.12 s, "
      "peak 34 MiB\n");
}

TEST(Text, ARaceOnAGlobal) {
  EXPECT_EQ(written(process_with({race_on_counter()})), with_counts(R"(write-write race on counter (4 bytes)
  write  /app/app.cpp:12 in work(int)
  write  /app/app.cpp:15 in rest()
  the main task
  ├─ task 3, created at /app/app.cpp:11: writes
  └─ task 5, created at /app/app.cpp:14: writes
  The main task creates task 3 at /app/app.cpp:11 and task 5 at line 14 without waiting in between:
  no finish around one of the creations ends before the other, and no get makes one task wait for
  the other.

race: 1 pair of source lines races, on 1 location
)"));
}

TEST(Text, ManyLocationsOfOnePairOfLinesAreOneEntry) {
  std::vector<findings::Race> races;
  for (std::uintptr_t i = 0; i < 3; ++i) {
    races.push_back(race_on(0x1008 + 8 * i, 4, {0x1000, findings::GlobalMemory{"list"}}));
  }
  findings::Race read = races.back();  // the same place, read: one location
  read.second.kind = findings::AccessKind::read;
  races.push_back(read);
  EXPECT_EQ(written(process_with(races)),
            with_counts(R"(write-write race on offset 8 of list (4 bytes)  [3 locations, 12 bytes]
  write  /app/app.cpp:12 in work(int)
  write  /app/app.cpp:15 in rest()
  the main task
  ├─ task 3, created at /app/app.cpp:11: writes
  └─ task 5, created at /app/app.cpp:14: writes
  The main task creates task 3 at /app/app.cpp:11 and task 5 at line 14 without waiting in between:
  no finish around one of the creations ends before the other, and no get makes one task wait for
  the other.

race: 1 pair of source lines races, on 3 locations
)"));
}

// The first line of the report for one race.
std::string headline(const findings::Memory& memory) {
  const std::string text = written(process_with({race_on(0x1008, 1, memory)}));
  return text.substr(0, text.find('\n'));
}

TEST(Text, NamesTheMemory) {
  const findings::Trace allocated({line("/usr/include/c++/12/bits/new_allocator.h", 137, "std::allocate()"),
                                   line("/app/a.cpp", 7, "make()")});
  EXPECT_EQ(headline({0x1000, findings::HeapMemory{allocated, 64}}),
            "write-write race on offset 8 of a heap block of 64 bytes allocated at /app/a.cpp:7 in make() (1 "
            "byte)");
  EXPECT_EQ(headline({0x1008, findings::HeapMemory{}}), "write-write race on a heap block (1 byte)");
  EXPECT_EQ(headline({0x1008, findings::LocalMemory{"main", "x", 0, 0}}),
            "write-write race on x (1 byte), a local of main");
  EXPECT_EQ(headline({0, findings::LocalMemory{"main", "", 0, 0}}),
            "write-write race on a local of main (1 byte)");
  EXPECT_EQ(headline({}), "write-write race on memory at 0x1008 (1 byte)");
}

// The same, of an object whose type is known.
std::string headline(const findings::Memory& memory, std::shared_ptr<const ObjectType> type,
                     std::uint64_t bytes) {
  Report report = make_report({process_with({race_on(0x1008, bytes, memory)})}, facts());
  report.types[memory] = std::move(type);
  std::ostringstream out;
  write_text(out, report, {});
  return out.str().substr(0, out.str().find('\n'));
}

std::shared_ptr<const ObjectType> simple(const std::string& name, std::uint64_t size) {
  return std::make_shared<const ObjectType>(ObjectType{name, size, nullptr, {}});
}

TEST(Text, TheSourcesWordsAreThereWhereNothingElseIs) {
  findings::Race race = race_on(0x1000, 4, {});
  findings::Frame at = line("/app/app.cpp", 12, "work(int)");
  at.expression = "this->cells[...]";
  race.first.stack = findings::Trace({at});
  const std::string text = written(process_with({race}));
  EXPECT_TRUE(
      text.starts_with("write-write race on this->cells[...], memory at 0x1000 (4 bytes)\n"
                       "  write  /app/app.cpp:12 in work(int)\n"
                       "         this->cells[...]\n"
                       "  write  /app/app.cpp:15 in rest()\n"))
      << text;
}

TEST(Text, NamesThePartOfTheObject) {
  const findings::Memory global{0x1000, findings::GlobalMemory{"results"}};
  EXPECT_EQ(headline(global, array_of(simple("int", 4), 400), 4), "write-write race on results[2] (int)");
  EXPECT_EQ(headline(global, array_of(simple("int", 4), 400), 2),
            "write-write race on bytes 0 to 1 of results[2] (int)");
  EXPECT_EQ(headline(global, array_of(simple("int", 4), 400), 8), "write-write race on results[2..3] (int)");
  const findings::Memory heap{0x1000,
                              findings::HeapMemory{findings::Trace({line("/app/a.cpp", 7, "make()")}), 16}};
  EXPECT_EQ(headline(heap, array_of(simple("long", 8), 16), 8),
            "write-write race on [1] (long) of the long[2] allocated at /app/a.cpp:7 in make()");
  EXPECT_EQ(headline(heap, simple("std::node", 16), 1),
            "write-write race on byte 8 of the std::node allocated at /app/a.cpp:7 in make()");
  const findings::Memory whole{0x1008, findings::HeapMemory{{}, 8}};
  EXPECT_EQ(headline(whole, simple("long", 8), 8), "write-write race on the long");
}

TEST(Text, TheMainTaskGoesOn) {
  findings::Race race = race_on_counter();
  race.second.task = 0;
  race.second.created_at = {};
  race.second.parting = {0, 0};
  std::vector<findings::Frame> chain;
  for (std::uint32_t i = 1; i <= 9; ++i) chain.push_back(line("/a.cpp", i, ""));
  race.first.created_at = findings::Trace(chain);
  race.first.parting = {0, 9};
  EXPECT_EQ(written(process_with({race})), with_counts(R"(write-write race on counter (4 bytes)
  write  /app/app.cpp:12 in work(int)
  write  /app/app.cpp:15 in rest()
  the main task
  ├─ a task created at /a.cpp:9
  │  └─ a task created at /a.cpp:8
  │     └─ a task created at /a.cpp:7
  │        └─ a task created at /a.cpp:6
  │           └─ a task created at /a.cpp:5
  │              └─ … (3 more)
  │                 └─ task 3, created at /a.cpp:1: writes
  └─ goes on, and writes
  The main task creates an ancestor of task 3 at /a.cpp:9 and goes on to /app/app.cpp:15 without
  waiting: no finish around line 9 ends before, and no get waits for task 3.

race: 1 pair of source lines races, on 1 location
)"));
}

TEST(Text, TwoTasksOfOneLoopBelowATask) {
  findings::Race race = race_on_counter();
  const findings::Trace created({line("/app/app.cpp", 11, "f"), line("/app/app.cpp", 5, "main")});
  race.first.created_at = created;
  race.second.created_at = created;
  race.first.parting = race.second.parting = {2, 1};
  const std::string text = written(process_with({race}));
  EXPECT_NE(text.find(R"(
  task 2, created at /app/app.cpp:5
  ├─ task 3, created at /app/app.cpp:11: writes
  └─ task 5, created at /app/app.cpp:11: writes
  Task 2 creates both at /app/app.cpp:11 without waiting in between: no finish ends between the two
  creations, and no get makes one task wait for the other.
)"),
            std::string::npos)
      << text;
}

// A race with remedies for it, as the graph's detector leaves them.
record::Process process_with_remedies(const std::vector<findings::Remedy>& remedies, bool updates = false) {
  std::vector<findings::Race> races{race_on_counter()};
  if (updates) {
    races.insert(races.end(), 2, races.front());
    races[1].first.kind = findings::AccessKind::read;
    races[2].second.kind = findings::AccessKind::read;
  }
  record::Process process = process_with(races);
  process.remedies = remedies;
  for (findings::Remedy& remedy : process.remedies) {
    remedy.first = races.front().first.stack;
    remedy.second = races.front().second.stack;
  }
  return process;
}

// What the report says below the tree, up to the blank line.
std::string advice(const record::Process& process) {
  const std::string text = written(process);
  const std::size_t begin = text.find("wait for\n  the other.") + 9;
  return text.substr(begin, text.find("\n\n") - begin);
}

TEST(Text, TheMissingJoin) {
  findings::Remedy remedy;
  remedy.kind = findings::RemedyKind::get;
  remedy.created = line("/app/app.cpp", 11, "main");
  remedy.later = findings::LaterJoin::end_of_finish;
  remedy.later_at = line("/app/app.cpp", 9, "main");
  EXPECT_EQ(advice(process_with_remedies({remedy})),
            "  the other. The finish that begins at /app/app.cpp:9 waits for both, but later.\n"
            "  To order them, get the future that is created at /app/app.cpp:11, before line 15.");
  remedy.kind = findings::RemedyKind::finish;
  remedy.before = line("/app/other.cpp", 14, "main");
  remedy.later = findings::LaterJoin::get;
  EXPECT_EQ(
      advice(process_with_remedies({remedy})),
      "  the other. The get at /app/app.cpp:9 waits for both, but later.\n"
      "  To order them, put the task that is created at /app/app.cpp:11 into a finish that ends before\n"
      "  /app/other.cpp:14.");
  remedy.kind = findings::RemedyKind::finish_inside;
  remedy.inside = line("/app/app.cpp", 3, "main");
  remedy.later_at = {};
  EXPECT_EQ(
      advice(process_with_remedies({remedy})),
      "  the other. Only the end of the program waits for both.\n"
      "  To order them, put the task that is created at /app/app.cpp:11 into a finish inside the task that\n"
      "  is created at /app/app.cpp:3: that one is waited for, but not what it creates.");
}

TEST(Text, UpdatesMayBeIsolated) {
  findings::Remedy none;
  none.created = line("/app/app.cpp", 11, "main");
  EXPECT_EQ(
      advice(process_with_remedies({none}, true)),
      "  the other. Only the end of the program waits for both.\n"
      "  Both are updates: if their order does not matter, put /app/app.cpp:12 and line 15 into\n"
      "  ao::isolated.\n"
      "  No finish or get orders them, unless the tasks that are created at /app/app.cpp:11 run one after\n"
      "  the other.");
}

TEST(Text, SaysWhatToRunNext) {
  RunFacts run = facts();
  run.typed = "./app 'a b'";
  const std::string next = "next: anyorder check --explain -- ./app 'a b'   (which join is missing)\n";
  EXPECT_TRUE(written(process_with({race_on_counter()}), run).ends_with(next));
  EXPECT_EQ(written(process_with_remedies({findings::Remedy{}}), run).find("next:"), std::string::npos);
  EXPECT_EQ(written(clean_process(), run).find("next:"), std::string::npos);
}

TEST(Text, WhereTheWaysToTheTasksPartTooFarUp) {
  findings::Race race = race_on_counter();
  race.first.parting = race.second.parting = std::nullopt;
  std::vector<findings::Frame> chain;
  for (std::uint32_t i = 1; i <= 5; ++i) chain.push_back(line("/a.cpp", i, ""));
  race.second.created_at = findings::Trace(chain);
  const std::string text = written(process_with({race}));
  EXPECT_NE(
      text.find("  writes: task 5, created at /a.cpp:1; its parent at /a.cpp:2; its parent at /a.cpp:3; "
                "… (2 more)\n"),
      std::string::npos)
      << text;
}

TEST(Text, TheSiteIsInTheUsersCodeAndItsCallersFollow) {
  findings::Race race = race_on_counter();
  std::vector<findings::Frame> stack{line("/usr/include/c++/12/bits/stl_vector.h", 1126, "std::f()"),
                                     line("/app/app.cpp", 12, "work(int)"),
                                     line("/usr/include/c++/12/functional", 1, "std::invoke()")};
  for (std::uint32_t i = 1; i <= 4; ++i) stack.push_back(line("/app/main.cpp", i, "main"));
  race.first.stack = findings::Trace(stack);
  const std::string text = written(process_with({race}));
  EXPECT_NE(text.find(R"(
  write  /app/app.cpp:12 in work(int)
         called at /app/main.cpp:1 in main
         called at /app/main.cpp:2 in main
         called at /app/main.cpp:3 in main
         … (1 more)
)"),
            std::string::npos)
      << text;
}

TEST(Text, WholeStacksIfAsked) {
  findings::Race race = race_on(
      0x1000, 4,
      {0x1000,
       findings::HeapMemory{findings::Trace({line("/a.cpp", 1, "make()"), line("/a.cpp", 2, "main")}), 8}});
  std::vector<findings::Frame> stack{line("/app/app.cpp", 12, "work(int)")};
  for (std::uint32_t i = 1; i <= 5; ++i) stack.push_back(line("/app/main.cpp", i, "main"));
  race.first.stack = findings::Trace(stack);
  std::ostringstream out;
  write_text(out, make_report({process_with({race})}, facts()), {false, true});
  EXPECT_NE(out.str().find(R"(
  write  /app/app.cpp:12 in work(int)
         in /app/app.cpp:12 in work(int)
         in /app/main.cpp:1 in main
         in /app/main.cpp:2 in main
         in /app/main.cpp:3 in main
         in /app/main.cpp:4 in main
         in /app/main.cpp:5 in main
  write  /app/app.cpp:15 in rest()
         in /app/app.cpp:15 in rest()
  allocated
         in /a.cpp:1 in make()
         in /a.cpp:2 in main
)"),
            std::string::npos)
      << out.str();
}

TEST(Text, FilesBelowTheCurrentDirectoryAreRelativeToIt) {
  const std::string here = std::filesystem::current_path().string();
  findings::Race race = race_on_counter();
  race.first.stack = findings::Trace({line(here + "/src/app.cpp", 12, "f")});
  race.second.stack = findings::Trace({line(here + "2/src/app.cpp", 12, "f")});
  const std::string text = written(process_with({race}));
  EXPECT_NE(text.find("  write  src/app.cpp:12 in f"), std::string::npos) << text;
  EXPECT_NE(text.find("  write  " + here + "2/src/app.cpp:12 in f"), std::string::npos) << text;
}

TEST(Text, WhereThereIsNoLine) {
  findings::Race race = race_on_counter();
  race.first.stack = findings::Trace({findings::Frame{0x401234, {}}});
  race.second.stack = {};
  record::Process process = process_with({race});
  process.modules = {{0x400000, 0x500000, 0x400000, "/nowhere/lib.so"}};
  const std::string text = written(process);
  EXPECT_NE(text.find("  write  0x401234 of /nowhere/lib.so\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  write  an unknown place\n"), std::string::npos) << text;
}

record::Process process_with_unknown_join(bool excused) {
  record::Process process = clean_process();
  findings::UnknownJoin join;
  join.got_at = findings::Trace({line("/app/app.cpp", 20, "f")});
  join.future = 4;
  join.future_created_at = findings::Trace({line("/app/app.cpp", 6, "main")});
  join.excused = excused;
  process.findings.unknown_joins.push_back(join);
  return process;
}

RunFacts facts_of_joins() {
  RunFacts run = facts();
  run.detector.clear();
  run.joins = "known";
  return run;
}

TEST(Text, AnUnknownJoin) {
  EXPECT_EQ(
      written(process_with_unknown_join(false), facts_of_joins()),
      "race on a future's handle: get at /app/app.cpp:20 in f\n"
      "  by the main task\n"
      "  of task 4, created at /app/app.cpp:6 in main\n"
      "  which it does not know: its handle came by a race (unless through an atomic or a mutex); `anyorder "
      "check` finds the variable.\n\n"
      "race: 1 get of a future that its task does not know\n"
      "join policy known, 0.12 s, peak 34 MiB\n");
}

TEST(Text, AnUnknownJoinThatNeedNotBeARace) {
  const std::string text = written(process_with_unknown_join(true));
  EXPECT_EQ(text.find("unknown join: get at /app/app.cpp:20 in f\n"), 0U) << text;
  EXPECT_NE(text.find("unknown: nothing was found, but not everything could be judged"), std::string::npos)
      << text;
}

TEST(Text, ARunWithoutDeadlocks) {
  EXPECT_EQ(written(clean_process(), facts_of_joins()),
            "clean: no deadlock in this run, and every get was of a known future\n"
            "join policy known, 0.12 s, peak 34 MiB\n");
}

TEST(Text, ARunWithoutAPolicyInForce) {
  record::Process process = clean_process();
  process.instrumented = false;
  EXPECT_NE(written(process, facts_of_joins()).find("No join policy was in force"), std::string::npos);
}

TEST(Text, ADeadlock) {
  record::Process process = clean_process();
  const findings::Trace created({line("/app/app.cpp", 5, "main")});
  process.findings.deadlocks.push_back(
      {{{1, findings::WaitKind::get, findings::Trace({line("/app/app.cpp", 20, "f")}), created},
        {2, findings::WaitKind::end_of_finish, findings::Trace({line("/app/app.cpp", 30, "g")}), created}}});
  process.findings.deadlocks.push_back(
      {{{3, findings::WaitKind::get, findings::Trace({line("/app/app.cpp", 40, "h")}), {}}}});
  EXPECT_EQ(written(process), with_counts(R"(deadlock: 2 tasks wait for each other
  task 1, created at /app/app.cpp:5 in main
    waits for task 2 (get) at /app/app.cpp:20 in f
  task 2, created at /app/app.cpp:5 in main
    waits for task 1 (end of finish) at /app/app.cpp:30 in g

deadlock: a task waits for itself
  task 3
    waits for task 3 (get) at /app/app.cpp:40 in h

deadlock: 2 cycles of tasks wait for themselves
)"));
}

TEST(Text, WhatWasNotJudgedNotesAndAtomics) {
  record::Process process = clean_process();
  process.findings.unsupported.push_back({"future", "This detector does not know futures.",
                                          findings::Trace({line("/app/app.cpp", 9, "main")}), 3});
  process.notes = {"The program started a thread."};
  process.counters.atomics = 2;
  EXPECT_EQ(written(process), with_counts(R"(not judged: future at /app/app.cpp:9 in main, 3 times
  This detector does not know futures.

note: The program started a thread.
note: The program did 2 atomic operations; the guarantee does not cover values that travel through atomics.

unknown: nothing was found, but not everything could be judged; see above
)"));
}

std::string last_line(const RunFacts& run) {
  const std::string text = written(clean_process(), run);
  const auto start = text.rfind('\n', text.size() - 2);
  return text.substr(start + 1);
}

TEST(Text, HowTheProgramEnded) {
  RunFacts run = facts();
  run.exit_code = 3;
  EXPECT_EQ(last_line(run), "the program ended with exit code 3\n");
  run.signal = SIGSEGV;
  EXPECT_EQ(last_line(run), "the program was ended by SIGSEGV\n");
  run.signal = SIGRTMIN + 2;
  EXPECT_EQ(last_line(run), "the program was ended by signal " + std::to_string(SIGRTMIN + 2) + "\n");
  run.interrupted = true;
  EXPECT_EQ(last_line(run), "the program was interrupted by Ctrl-C\n");
}

TEST(Text, SizesAreForPeople) {
  RunFacts run = facts();
  const auto peak = [&](std::uint64_t bytes) {
    run.peak_bytes = bytes;
    const std::string line = last_line(run);
    return line.substr(line.find("peak"));
  };
  EXPECT_EQ(peak(1000), "peak 1 KiB\n");
  EXPECT_EQ(peak(2621440), "peak 2.5 MiB\n");
  EXPECT_EQ(peak(10ULL << 20U), "peak 10 MiB\n");
  EXPECT_EQ(peak(3ULL << 30U), "peak 3072 MiB\n");
}

TEST(Text, ShowsFiftyPairsAndSaysHowManyMoreThereAre) {
  std::vector<findings::Race> races;
  for (std::uint32_t i = 0; i < 53; ++i) {
    findings::Race race = race_on(0x1000 + 8 * i, 4, {0x1000, findings::GlobalMemory{"list"}});
    race.second.stack = findings::Trace({line("/app/app.cpp", 100 + i, "f")});
    races.push_back(race);
  }
  const std::string text = written(process_with(races));
  EXPECT_NE(text.find("app.cpp:149 "), std::string::npos);
  EXPECT_EQ(text.find("app.cpp:150 "), std::string::npos);
  EXPECT_NE(text.find("\n… and 3 pairs of source lines that race: the JSON report (--json FILE) has all\n"),
            std::string::npos)
      << text.substr(text.size() - 400);
  EXPECT_NE(text.find("race: 53 pairs of source lines race, on 53 locations\n"), std::string::npos);
}

TEST(Text, TenThousandRacesOnThreePairsOfLinesAreThreeEntries) {
  std::vector<findings::Race> races;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    findings::Race race = race_on(0x1000 + 8 * i, 4, {0x1000, findings::GlobalMemory{"list"}});
    race.first.task = i + 1;
    race.second.task = i + 2;
    race.second.stack = findings::Trace({line("/app/app.cpp", 20 + i % 3, "rest()")});
    races.push_back(race);
  }
  const record::Process process = process_with(races);
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = written(process);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));  // 0.1 s if nothing else runs
  std::size_t entries = 0;
  for (std::size_t at = 0; (at = text.find(" race on ", at)) != std::string::npos; ++at) ++entries;
  EXPECT_EQ(entries, 3U);
  EXPECT_NE(text.find("[3334 locations, 13336 bytes]"), std::string::npos) << text;
  EXPECT_NE(text.find("race: 3 pairs of source lines race, on 10000 locations"), std::string::npos) << text;
  EXPECT_LT(text.size(), 4000U);
}

TEST(Text, ColourOnlyIfAsked) {
  const record::Process racy = process_with({race_on_counter()});
  EXPECT_EQ(written(racy).find('\033'), std::string::npos);
  const std::string text = written(racy, facts(), true);
  EXPECT_TRUE(text.starts_with("\033[1;31mwrite-write race on counter (4 bytes)\033[0m\n")) << text;
  EXPECT_NE(text.find("\033[2m  ├─ \033[0mtask 3, created at /app/app.cpp:11: writes\n"), std::string::npos)
      << text;
  EXPECT_TRUE(written(clean_process(), facts(), true).starts_with("\033[1;32mclean: "));
  EXPECT_NE(written(record::Process{}, facts(), true).find("\033[1;33munknown: "), std::string::npos);
}

}  // namespace
}  // namespace anyorder::report
