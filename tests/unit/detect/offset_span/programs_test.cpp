// Programs that pin what this detector makes of async and finish, and of checkread, whose text the paper has
// lost: each in all orders that ten seeds choose.
#include <gtest/gtest.h>
#include <string>

#include "run.hpp"

namespace anyorder::detect::offset_span {
namespace {

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, HaveTheirVerdictInEveryOrder) { expect_verdict_in_every_order<Checked>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Forks, Programs,
    testing::Values(
        Case{"branches", {finish({async({write(0)}), async({write(0)})})}, kRace},
        Case{"one_after_the_other", {finish({async({write(0)})}), finish({async({write(0)})})}, kClean},
        Case{"before_and_after", {write(0), finish({async({write(0)})}), write(0)}, kClean},
        Case{"inner_loops_of_two_branches",
             {finish({async({finish({async({write(0)})})}), async({finish({async({read(0)})})})})},
             kRace},
        Case{"inner_loops_of_one_branch",
             {finish({async({finish({async({write(0)})}), finish({async({read(0)})})}), async({})})},
             kClean},
        Case{"after_the_inner_loop_of_another_branch",
             {finish({async({finish({async({write(0)})})}), async({finish({async({})}), read(0)})})},
             kRace}),
    name_of);

// What async and finish have beside forks and joins.
INSTANTIATE_TEST_SUITE_P(
    AsyncAndFinish, Programs,
    testing::Values(
        // With the label of the finish's start restored: a false alarm.
        Case{"finish_in_finish", {finish({finish({}), async({write(0)})}), read(0)}, kClean},
        Case{"finish_in_finish_after_a_task",
             {finish({async({write(0)}), finish({async({write(1)})}), read(1)}), read(0)},
             kClean},
        Case{"owner_goes_on", {finish({async({write(0)}), read(0)})}, kRace},
        Case{"owner_before_the_task", {finish({write(0), async({write(0)})})}, kClean},
        Case{"owner_in_an_inner_finish", {finish({async({write(0)}), finish({async({}), read(0)})})}, kRace},
        Case{"escapes_its_creator", {finish({async({async({write(0)})}), read(0)})}, kRace},
        Case{"escapes_and_is_joined", {finish({async({async({write(0)})})}), read(0)}, kClean},
        Case{"escapes_beside_its_creator", {finish({async({async({write(0)}), read(0)})})}, kRace},
        Case{"escapes_after_a_finish_of_its_creator",
             {finish({async({finish({async({write(0)})}), async({write(0)}), read(1)})})},
             kClean},
        Case{"is_not_joined_by_a_finish_of_its_creator",
             {finish({async({async({write(0)}), finish({async({})}), read(0)})})},
             kRace},
        Case{"outside_of_all_finishes", {async({write(0)}), read(0)}, kRace}),
    name_of);

// Both halves of each condition of checkread.
INSTANTIATE_TEST_SUITE_P(
    Checkread, Programs,
    testing::Values(
        Case{"leftmost",
             {finish({async({read(0)}), finish({async({read(0)}), async({read(0)})}), write(0)})},
             kRace},
        Case{"rightmost",
             {finish({async({finish({async({read(0)}), async({read(0)})}), write(0)}), async({read(0)})})},
             kRace},
        Case{"lowest", {read(0), finish({async({read(0)}), async({write(0)})})}, kRace},
        Case{
            "all_joined", {finish({async({read(0)}), async({read(0)}), async({read(0)})}), write(0)}, kClean},
        Case{"between", {finish({async({read(0)}), async({read(0)}), async({read(0), write(0)})})}, kRace}),
    name_of);

TEST(Constructs, OutsideOfTheModelAreUnknown) {
  const auto verdict = [](const Program& program) { return Checked(program).verdict(); };
  EXPECT_EQ(verdict({future(0, {write(0)}), get(0), read(0)}), kUnknown);
  EXPECT_EQ(verdict({isolated({write(0)})}), kUnknown);
  const Checked checked({future(0, {})});
  ASSERT_EQ(checked.findings.snapshot().unsupported.size(), 1U);
  EXPECT_EQ(checked.findings.snapshot().unsupported[0].where.innermost().source.line, 1U);
  EXPECT_NE(checked.findings.snapshot().unsupported[0].why.find("offset_span"), std::string::npos);
}

TEST(Reports, NameBothTasksAndWhereTheyWereCreated) {
  findings::FindingSet findings;
  OffsetSpan detector(findings, kProgramMemory);
  void* root = nullptr;
  void* whole = nullptr;
  void* inner = nullptr;
  void* tasks[2] = {};
  detector.root_begun(root, whole);
  detector.finish_begun(root, inner, {});
  for (void*& task : tasks)
    detector.task_created(root, task, inner, events::TaskKind::async, {"a.cpp", "f", 7});
  void* innermost = nullptr;
  detector.finish_begun(tasks[1], innermost, {});
  void* deep = nullptr;
  detector.task_created(tasks[1], deep, innermost, events::TaskKind::async, {"a.cpp", "g", 9});
  detector.write(tasks[0], kMemory, 8, 3);
  detector.write(deep, kMemory, 8, 4);
  const findings::Findings all = findings.snapshot();
  ASSERT_EQ(all.races.size(), 1U);
  const findings::Race race = all.races[0].races[0];
  EXPECT_EQ(race.first.stack.innermost().pc, 3U);
  EXPECT_EQ(race.second.stack.innermost().pc, 4U);
  EXPECT_NE(race.first.task, race.second.task);
  ASSERT_EQ(race.first.created_at.size(), 1U);
  EXPECT_EQ(race.first.created_at.innermost().source.line, 7U);
  ASSERT_EQ(race.second.created_at.size(), 2U);
  EXPECT_EQ(race.second.created_at.begin()->source.line, 9U);
  EXPECT_EQ(race.second.created_at.begin()[1].source.line, 7U);
}

}  // namespace
}  // namespace anyorder::detect::offset_span
