// Facts with levels: they are there as long as the outermost task of which they are known.
#include "detect/dtrg/past.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace anyorder::detect::dtrg {
namespace {

// Tasks 1, 5 and 9 run, one in the other; sets have labels [10 n, 10 n + 5].
class PastTest : public testing::Test {
 protected:
  PastTest() {
    for (const TaskId task : {1U, 5U, 9U}) past_.note_join(task);
  }
  void add(Past::Level level, TaskId set) { past_.add(level, set, 10 * set, 10 * set + 5); }
  bool knows(TaskId set, Past::Level levels = 3) const { return past_.knows(10 * set, 10 * set + 5, levels); }

  Past past_;
};

TEST_F(PastTest, GoesWithItsTask) {
  add(2, 100);
  add(1, 200);
  EXPECT_TRUE(knows(100));
  EXPECT_TRUE(knows(200));
  past_.end(9);
  EXPECT_FALSE(knows(100));
  EXPECT_TRUE(knows(200));
  past_.end(8);  // one that has no joins
  EXPECT_TRUE(knows(200));
  past_.end(5);
  EXPECT_FALSE(knows(200));
}

TEST_F(PastTest, StaysWithTheOutermostTask) {
  add(2, 100);
  add(0, 100);
  add(1, 100);
  past_.end(9);
  past_.end(5);
  EXPECT_TRUE(knows(100));
  past_.end(1);
  EXPECT_FALSE(knows(100));
}

TEST_F(PastTest, AsksTasksAroundOne) {
  EXPECT_EQ(past_.levels_up_to(0), 0U);
  EXPECT_EQ(past_.levels_up_to(1), 1U);
  EXPECT_EQ(past_.levels_up_to(4), 1U);
  EXPECT_EQ(past_.levels_up_to(5), 2U);
  EXPECT_EQ(past_.levels_up_to(100), 3U);
  add(1, 100);
  EXPECT_FALSE(knows(100, 1));
  EXPECT_TRUE(knows(100, 2));
  past_.add(0, 101, 1003, 1004);  // inside it
  EXPECT_TRUE(knows(100, 1));
}

TEST_F(PastTest, LooksIntoASetAgainOnlyForATaskFurtherOut) {
  add(1, 100);
  add(2, 100);
  ASSERT_TRUE(past_.has_from(1005));
  EXPECT_EQ(past_.take().level, 1U);
  EXPECT_FALSE(past_.has_from(0));
  add(1, 100);
  EXPECT_FALSE(past_.has_from(0));
  add(0, 100);
  ASSERT_TRUE(past_.has_from(0));
  EXPECT_EQ(past_.take().level, 0U);
}

TEST_F(PastTest, LooksIntoWhatEndedLastFirst) {
  add(0, 100);
  add(2, 300);
  add(1, 200);
  EXPECT_FALSE(past_.has_from(3006));
  for (const TaskId set : {300U, 200U, 100U}) {
    ASSERT_TRUE(past_.has_from(0));
    EXPECT_EQ(past_.take().set, set);
  }
}

TEST_F(PastTest, LooksIntoNothingForATaskThatHasEnded) {
  for (TaskId set = 100; set < 400; ++set) add(2, set);
  add(0, 50);
  past_.end(9);
  past_.note_join(11);  // another task on the same level
  ASSERT_TRUE(past_.has_from(0));
  EXPECT_EQ(past_.take().set, 50U);
  EXPECT_FALSE(past_.has_from(0));
  EXPECT_FALSE(knows(200));
  add(2, 60);  // few, which are not dropped at once
  past_.end(11);
  past_.note_join(12);
  EXPECT_FALSE(past_.has_from(0));
  add(2, 60);
  ASSERT_TRUE(past_.has_from(0));
  EXPECT_EQ(past_.take().of, 12U);
}

TEST_F(PastTest, PassesThroughAnAncestorOnceForEachTaskFurtherOut) {
  EXPECT_TRUE(past_.pass_through(2, 7));
  EXPECT_FALSE(past_.pass_through(2, 7));
  EXPECT_TRUE(past_.pass_through(1, 7));
  EXPECT_FALSE(past_.pass_through(2, 7));
  EXPECT_TRUE(past_.pass_through(2, 8));
  past_.end(9);
  EXPECT_FALSE(past_.pass_through(1, 7));
  past_.note_join(11);
  EXPECT_TRUE(past_.pass_through(2, 8));
  past_.end(11);
  past_.end(5);
  EXPECT_TRUE(past_.pass_through(0, 7));
}

TEST_F(PastTest, TakesEachJoinOnce) {
  std::vector<TaskId> taken;
  const auto take = [&](TaskId task, Past::Level level, std::uint32_t last) {
    EXPECT_EQ(last, taken.size() < 3 ? Past::kNothing : 42U);
    EXPECT_EQ(task, 4 * level + 1);
    taken.push_back(task);
    return 42U;
  };
  past_.take_joins(take);
  EXPECT_EQ(taken, (std::vector<TaskId>{1, 5, 9}));
  past_.take_joins(take);
  EXPECT_EQ(taken.size(), 3U);
  past_.end(9);
  past_.note_join(5);
  past_.take_joins(take);
  EXPECT_EQ(taken, (std::vector<TaskId>{1, 5, 9, 5}));
}

}  // namespace
}  // namespace anyorder::detect::dtrg
