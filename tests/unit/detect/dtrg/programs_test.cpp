// The programs on which the algorithms of DTRG fail as they are printed, and those that pin what this
// detector does instead; by the numbers of the paper's algorithms.
#include <gtest/gtest.h>
#include <string>

#include "../cases.hpp"
#include "run.hpp"

namespace anyorder::detect::dtrg {
namespace {

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, HaveTheirVerdict) {
  if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
  expect_verdict<Checked>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Algorithm4, Programs,
    testing::Values(
        Case{"repeated_get", {future(0, {write(0)}), get(0), get(0), read(0)}, kClean},
        Case{"get_within_one_set", {finish({future(0, {write(0)})}), get(0), read(0)}, kClean},
        Case{"repeated_get_by_another", {future(0, {write(0)}), async({get(0), get(0), read(0)})}, kClean},
        Case{"get_of_a_grandchild", {future(1, {future(0, {write(0)})}), get(1), get(0), read(0)}, kClean},
        Case{"grandchild_that_nobody_got", {future(1, {future(0, {write(0)})}), get(1), read(0)}, kRace}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Algorithm6, Programs,
    testing::Values(Case{"joins_of_grandchildren",
                         {finish({async({async({write(0)})}), write(1)}), read(0), read(1)},
                         kClean},
                    Case{"joins_only_its_own", {async({write(0)}), finish({async({})}), read(0)}, kRace}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Algorithm7, Programs,
    testing::Values(
        // The label of the set is the owner's: a sibling does not precede what the set's other member does.
        Case{"label_of_the_ancestor",
             {future(0, {future(1, {write(0)}), get(1)}), future(2, {read(0)})},
             kRace},
        Case{"label_after_the_join",
             {future(0, {future(1, {write(0)}), get(1)}), future(2, {get(0), read(0)})},
             kClean},
        // What the joined task got comes with it.
        Case{"non_tree_joins_of_the_joined",
             {future(0, {write(0)}), finish({async({get(0)})}), future(1, {read(0)})},
             kClean}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Algorithm9, Programs,
    testing::Values(
        Case{"first_reader", {async({read(0)}), write(0)}, kRace},
        Case{"one_async_reader_is_not_enough",
             {future(0, {finish({async({read(0)})})}), async({read(0)}), get(0), write(0)},
             kRace},
        Case{"async_reader_stands_for_later_ones",
             {async({read(0)}), async({read(0)}), async({read(0)}), write(0)},
             kRace},
        Case{"async_readers_within_one_future",
             {future(0, {finish({async({read(0)}), async({read(0)})})}), get(0), write(0)},
             kClean},
        Case{"second_of_two_futures", {future(0, {read(0)}), future(1, {read(0)}), get(0), write(0)}, kRace},
        Case{"first_of_two_futures", {future(0, {read(0)}), future(1, {read(0)}), get(1), write(0)}, kRace},
        Case{"both_futures", {future(0, {read(0)}), future(1, {read(0)}), get(0), get(1), write(0)}, kClean}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Algorithm10, Programs,
    testing::Values(
        // After the join the source's set has a higher preorder than main's.
        Case{"figure_1", {future(0, {write(0)}), future(1, {get(0)}), get(1), read(0)}, kClean},
        Case{"no_writer_precedes_everything", {async({read(0)}), read(0)}, kClean},
        Case{"through_an_ancestor_of_the_reader",
             {future(0, {write(0)}), async({get(0), async({async({read(0)})})})},
             kClean},
        Case{
            "through_an_ancestor_of_the_source",
            {future(0, {write(0)}), future(1, {get(0), future(2, {}), get(2)}), future(3, {get(1), read(0)})},
            kClean},
        Case{
            "through_an_ancestor_that_has_ended",
            {future(0, {write(0)}), future(1, {get(0), future(2, {})}), future(3, {get(1), get(2), read(0)})},
            kClean},
        Case{"not_before_the_get", {future(0, {write(0)}), async({async({read(0)}), get(0)})}, kRace}),
    name_of);

// A handle that came to main by no way that precedes the get: the write is missed, and the race on the handle
// itself is what tells the user.
TEST(LeakedHandle, IsARaceOnTheHandle) {
  if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
  const Program program{async({future(0, {}), write(0)}), get(0), read(0)};
  EXPECT_EQ(Checked(program).verdict(), kClean);
  findings::FindingSet findings;
  Dtrg detector(findings);
  SerialRun(detector, Handles::are_data).run(program);
  const auto races = findings.snapshot().races;
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].races[0].address, handle_address(0));
}

}  // namespace
}  // namespace anyorder::detect::dtrg
