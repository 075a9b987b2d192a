// What a second run of the program adds to a report: whole call stacks, and a word if it was another run.
#include "report/whole_stacks.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "sample.hpp"

namespace anyorder::report {
namespace {

using findings::Frame;
using findings::Race;
using findings::Trace;

// Calls of f0, f1…, each from the line of its number; `pc` is another one in each run.
Trace calls(std::uint32_t count, std::uintptr_t run) {
  Trace::Frames frames;
  for (std::uint32_t i = 0; i != count; ++i) {
    frames.push_back(line("/app/app.cpp", 100 + i, "f" + std::to_string(i)));
    frames.back().pc = 1000 * run + i;
  }
  return Trace(std::move(frames));
}

Race race_of(std::uint32_t depth, std::uintptr_t run) {
  Race race = race_on(0x1000 * run, 4, {0x1000 * run, findings::GlobalMemory{"counter"}});
  race.first.stack = calls(depth, run);
  race.second.stack = calls(depth, run);
  return race;
}

Report report_of(const Race& race) {
  return make_report({process_with({race})}, {{"./app"}, "dtrg", 0, 0, false, 0.5, 1000});
}

const Race& only_race(const Report& report) { return report.findings.races.at(0).races.at(0); }

TEST(WholeStacks, AreThoseOfTheSameTasks) {
  Report report = report_of(race_of(8, 1));
  add_graph_run(report, report_of(race_of(30, 2)));
  EXPECT_EQ(only_race(report).first.stack.size(), 30U);
  EXPECT_EQ(only_race(report).second.stack.size(), 30U);
  EXPECT_EQ(only_race(report).address, 0x1000U);
  EXPECT_TRUE(report.notes.empty());
}

TEST(WholeStacks, ComeWithTheTasksThatRaceOnTheSameObject) {
  Report report = report_of(race_of(8, 1));
  Race again = race_of(30, 2);
  again.first.task = 7;
  again.second.task = 8;
  add_graph_run(report, report_of(again));
  EXPECT_EQ(only_race(report).first.stack.size(), 30U);
  EXPECT_EQ(only_race(report).first.task, 7U);
  EXPECT_EQ(only_race(report).second.task, 8U);
  EXPECT_TRUE(report.notes.empty());
}

TEST(WholeStacks, OfOtherTasksOnOtherMemoryAreNotTaken) {
  Report report = report_of(race_of(8, 1));
  Race again = race_of(30, 2);
  again.first.task = 7;
  again.memory.object = findings::GlobalMemory{"another"};
  add_graph_run(report, report_of(again));
  EXPECT_EQ(only_race(report).first.stack.size(), 8U);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("was not like the first"), std::string::npos);
}

TEST(WholeStacks, OfOneOfSeveralObjectsThatLookAlikeAreNotTaken) {
  const auto on_node = [](std::uintptr_t base, std::uint64_t task, std::uint32_t depth, std::uintptr_t run) {
    Race race = race_of(depth, run);
    race.address = base;
    race.first.task = task;
    race.memory = {base, findings::HeapMemory{Trace({line("/app/app.cpp", 3, "main")}), 16}};
    return race;
  };
  const RunFacts facts{{"./app"}, "dtrg", 0, 0, false, 0.5, 1000};
  Report report = make_report({process_with({on_node(0x1000, 1, 8, 1), on_node(0x2000, 2, 8, 1)})}, facts);
  add_graph_run(report,
                make_report({process_with({on_node(0x3000, 1, 30, 2), on_node(0x4000, 4, 30, 2)})}, facts));
  const std::vector<Race>& races = report.findings.races.at(0).races;
  ASSERT_EQ(races.size(), 2U);
  EXPECT_EQ(races[0].first.stack.size(), 30U);  // by its tasks
  EXPECT_EQ(races[1].first.stack.size(), 8U);
  EXPECT_EQ(races[1].first.task, 2U);
}

TEST(WholeStacks, NeedNoSecondRunIfNothingWasLeftOut) {
  Report report = report_of(race_of(7, 1));
  Race again = race_of(7, 2);
  again.first.task = 7;
  again.memory.object = findings::GlobalMemory{"another"};
  add_graph_run(report, report_of(again));
  EXPECT_TRUE(report.notes.empty());
}

TEST(WholeStacks, BeginAsTheNearOnesAlsoWhereRepetitionsAreLeftOut) {
  const Frame leaf = line("/app/app.cpp", 1, "leaf");
  Frame recursion = line("/app/app.cpp", 2, "f");
  const Frame start = line("/app/app.cpp", 3, "main");
  const Trace near({leaf, recursion, recursion, recursion});
  recursion.skipped = {2, 1};
  EXPECT_TRUE(begins_with(Trace({leaf, recursion, start}), near));
  recursion.skipped = {1, 1};
  EXPECT_FALSE(begins_with(Trace({leaf, recursion, start}), near));
  recursion.skipped = {10, 0};
  EXPECT_FALSE(begins_with(Trace({leaf, recursion, start}), near));
}

}  // namespace
}  // namespace anyorder::report
