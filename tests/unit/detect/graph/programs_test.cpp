// The programs of async, finish, future and get on which printed algorithms fail, by the detector whose paper
// they are about, and those that pin the meaning of isolated.
#include <gtest/gtest.h>

#include "../cases.hpp"
#include "run.hpp"

namespace anyorder::detect::graph {
namespace {

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, HaveTheirVerdict) { expect_verdict<Checked>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Dtrg, Programs,
    testing::Values(Case{"first_reader", {async({read(0)}), write(0)}, kRace},
                    Case{"figure_1", {future(0, {write(0)}), future(1, {get(0)}), get(1), read(0)}, kClean},
                    Case{"one_async_reader_is_not_enough",
                         {future(0, {finish({async({read(0)})})}), async({read(0)}), get(0), write(0)},
                         kRace},
                    Case{"leaked_handle", {async({future(0, {}), write(0)}), get(0), read(0)}, kRace},
                    Case{"repeated_get", {future(0, {write(0)}), get(0), get(0), read(0)}, kClean},
                    Case{"get_within_one_set", {finish({future(0, {write(0)})}), get(0), read(0)}, kClean}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Spd3, Programs,
                         testing::Values(Case{"second_reader", {async({read(0)}), read(0), write(0)}, kRace}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(OffsetSpan, Programs,
                         testing::Values(Case{"label_at_the_end_of_a_finish",
                                              {finish({finish({}), async({write(0)})}), read(0)},
                                              kClean}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    KnownJoins, Programs,
    testing::Values(Case{"knowledge_through_a_finish",
                         {future(0, {future(1, {write(0)})}), finish({async({get(0)})}), get(1), write(0)},
                         kClean},
                    Case{"without_the_second_get",
                         {future(0, {future(1, {write(0)})}), finish({async({get(0)})}), write(0)},
                         kRace}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    AsyncFinish, Programs,
    testing::Values(Case{"escapes_to_an_outer_finish",
                         {finish({async({async({write(0)})}), write(1)}), read(0), read(1)},
                         kClean},
                    Case{"escapes_an_inner_task", {async({async({write(0)})}), read(0)}, kRace},
                    Case{"inner_finish_holds_it", {async({finish({async({write(0)})}), read(0)})}, kClean},
                    Case{"readers_only", {write(0), async({read(0)}), async({read(0)}), read(0)}, kClean},
                    Case{"before_the_spawn", {write(0), async({read(0)})}, kClean},
                    Case{"neighbouring_bytes", {async({write(0)}), write(1)}, kClean}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Isolated, Programs,
    testing::Values(
        Case{"both_sides", {async({isolated({write(0)})}), isolated({write(0)})}, kClean},
        Case{"one_side", {async({isolated({write(0)})}), write(0)}, kRace},
        Case{"different_objects", {async({isolated({write(0)}, 1)}), isolated({write(0)}, 2)}, kRace},
        Case{"same_object", {async({isolated({write(0)}, 1)}), isolated({write(0)}, 1)}, kClean},
        Case{"an_object_and_none", {async({isolated({write(0)}, 1)}), isolated({write(0)})}, kClean},
        Case{"only_their_order_decides",
             {async({write(0), isolated({write(1)})}), isolated({read(1)}), write(0)},
             kUnknown},
        Case{"their_order_is_no_help_here",
             {async({isolated({write(1)}), write(0)}), isolated({read(1)}), write(0)},
             kRace},
        Case{"order_through_a_third",
             {async({write(0), isolated({}, 1)}), async({isolated({}, 1), isolated({}, 2)}), isolated({}, 2),
              write(0)},
             kUnknown},
        Case{"order_through_a_section_without_objects",
             {async({write(0), isolated({}, 1)}), async({isolated({})}), isolated({}, 2), write(0)},
             kUnknown},
        Case{"order_after_sections_on_two_objects",
             {async({write(0), isolated({}, 1)}), async({write(1), isolated({}, 2)}), isolated({}), write(0),
              write(1)},
             kUnknown},
        Case{"no_order_between_other_objects",
             {async({write(0), isolated({}, 1)}), isolated({}, 2), write(0)},
             kRace}),
    name_of);

TEST(Coverage, IsOneOrderOnceSectionsMayComeInTheOther) {
  using findings::Coverage;
  EXPECT_EQ(Checked({async({write(0)}), write(1)}).detector.coverage(), Coverage::all_schedules);
  EXPECT_EQ(Checked({finish({async({isolated({write(0)})})}), isolated({write(0)})}).detector.coverage(),
            Coverage::all_schedules);
  EXPECT_EQ(Checked({async({isolated({write(0)})}), isolated({write(0)})}).detector.coverage(),
            Coverage::one_isolated_order);
}

}  // namespace
}  // namespace anyorder::detect::graph
