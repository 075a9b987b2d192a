// Programs of async and finish that pin the rules of the checks: which reader is kept, when one is replaced.
#include <gtest/gtest.h>
#include <string>

#include "../cases.hpp"
#include "run.hpp"

namespace anyorder::detect::esp_bags {
namespace {

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, HaveTheirVerdict) {
  if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
  expect_verdict<Checked>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Writes, Programs,
    testing::Values(Case{"two_tasks", {async({write(0)}), async({write(0)})}, kRace},
                    Case{"parent_goes_on", {async({write(0)}), write(0)}, kRace},
                    Case{"parent_before", {write(0), async({write(0)})}, kClean},
                    Case{"after_the_finish", {finish({async({write(0)})}), write(0)}, kClean},
                    Case{"after_another_finish", {async({write(0)}), finish({async({})}), write(0)}, kRace},
                    Case{"grandchild_escapes", {finish({async({async({write(0)})}), write(0)})}, kRace},
                    Case{"grandchild_is_joined", {async({finish({async({write(0)})}), write(0)})}, kClean},
                    Case{"finish_within_a_task_is_not_the_outer_one",
                         {finish({async({finish({async({write(0)})})}), write(0)})},
                         kRace},
                    Case{"finish_before_the_tasks_of_its_owner",
                         {finish({}), finish({async({write(0)})}), read(0)},
                         kClean}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Readers, Programs,
    testing::Values(
        Case{"readers_alone", {async({read(0)}), async({read(0)}), read(0)}, kClean},
        Case{"the_first_reader_counts", {async({read(0)}), write(0)}, kRace},
        Case{"one_in_a_p_bag_stands_for_later_ones",
             {async({read(0)}), finish({async({read(0)})}), write(0)},
             kRace},
        Case{"one_in_an_s_bag_is_replaced", {finish({async({read(0)})}), async({read(0)}), write(0)}, kRace},
        Case{"the_owner_reads_after_the_finish",
             {async({finish({async({read(0)})}), read(0)}), write(0)},
             kRace},
        Case{"both_are_joined_by_one_finish",
             {finish({async({read(0)}), async({finish({async({read(0)})})})}), write(0)},
             kClean},
        Case{"a_wider_read_does_not_replace_what_is_parallel",
             {async({read(0, 4)}), async({read(0, 8)}), write(6)},
             kRace},
        Case{"bytes_that_nobody_read", {async({read(0, 4)}), async({write(4, 4)})}, kClean}),
    name_of);

}  // namespace
}  // namespace anyorder::detect::esp_bags
