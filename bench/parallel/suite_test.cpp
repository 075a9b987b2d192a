#include "parallel/suite.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "parallel/test_suite.hpp"
#include "runs/build_facts.hpp"

namespace bench::parallel {
namespace {

using anyorder::events::Construct;
using anyorder::events::DetectorTraits;
using anyorder::events::Execution;
using anyorder::events::Guarantee;

std::vector<std::string> labels(const std::vector<Column>& columns) {
  std::vector<std::string> all;
  for (const Column& column : columns) all.push_back(label_of(column));
  return all;
}

TEST(DetectorsOfSuite, AcceptAsyncAndFinishAndRunInAnOrdinaryWay) {
  const auto traits = [](const char* name, anyorder::events::Constructs accepts, Execution needs) {
    return DetectorTraits{name, accepts, needs, Guarantee::all_schedules_of_this_input};
  };
  const std::array registered{
      traits("graph", Construct::async_finish | Construct::futures, Execution::serial_depth_first),
      traits("a", Construct::async_finish | Construct::futures, Execution::serial_depth_first),
      traits("b", Construct::async_finish, Execution::parallel),
      traits("loops_only", Construct::fork_join, Execution::parallel),
      traits("explorer", Construct::async_finish | Construct::isolated, Execution::controlled)};
  const auto chosen = detectors_of_suite(registered);
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_STREQ(chosen[0].name, "a");
  EXPECT_STREQ(chosen[1].name, "b");
}

TEST(Columns, HaveSerialDetectorsOnceAndOthersForEachNumberOfWorkers) {
  const std::vector<std::string> expected{"plain/1", "plain/2", "in_order", "at_once/1", "at_once/2",
                                          "tbb/1",   "tsan/1",  "tbb/2",    "tsan/2"};
  EXPECT_EQ(labels(columns({{1, 2}, {kSerialDetector, kParallelDetector}, true})), expected);
  const std::vector<std::string> without_tsan{"plain/4", "in_order"};
  EXPECT_EQ(labels(columns({{4}, {kSerialDetector}, false})), without_tsan);
}

TEST(Comparisons, AreToTheSameNumberOfWorkersOnTheSameLibrary) {
  const Suite suite = suite_of_one();
  const auto label = [&](std::size_t column) { return label_of(suite.all.columns[column]); };
  const auto with_two = comparisons(suite, 2);
  ASSERT_EQ(with_two.size(), 3U);
  EXPECT_EQ(label(with_two[0].column), "in_order");
  EXPECT_EQ(label(with_two[0].base), "plain/2");
  EXPECT_TRUE(with_two[0].is_serial);
  EXPECT_EQ(label(with_two[1].column), "at_once/2");
  EXPECT_EQ(label(with_two[1].base), "plain/2");
  EXPECT_EQ(label(with_two[2].column), "tsan/2");
  EXPECT_EQ(label(with_two[2].base), "tbb/2");
  EXPECT_TRUE(with_two[2].is_tsan);
}

TEST(Growth, IsOfSlowdownsThatRunInParallel) {
  const Suite suite = suite_of_one();
  const auto pairs = scaling_pairs(suite);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].first.name, "at_once");
  // 3 with one worker, 4 with two.
  EXPECT_DOUBLE_EQ(growth(suite, suite.all.programs[0], pairs[0].first, pairs[0].second).value(), 4.0 / 3);
  EXPECT_DOUBLE_EQ(mean_growth(suite, pairs[1].first, pairs[1].second)->value, 1.6);
}

TEST(Growth, NeedsTwoNumbersOfWorkersAndBothRuns) {
  Suite suite = suite_of_one();
  const auto pairs = scaling_pairs(suite);
  suite.all.programs[0].columns[column_of(suite, Way::plain, 2)].rounds.clear();
  EXPECT_FALSE(growth(suite, suite.all.programs[0], pairs[0].first, pairs[0].second));
  EXPECT_FALSE(mean_growth(suite, pairs[0].first, pairs[0].second));
  suite.workers = {1};
  EXPECT_TRUE(scaling_pairs(suite).empty());
}

TEST(Published, IsOfTheProgramsOfTheSuite) {
  std::size_t in_suite = 0;
  for (const Program& program : kPrograms) {
    if (!program.in_parallel) continue;
    ++in_suite;
    EXPECT_NE(published_about(program.name), nullptr) << program.name;
  }
  EXPECT_EQ(in_suite, std::size(kPublished));
  EXPECT_EQ(published_about("fib"), nullptr);
}

// The paper's table has the mean 2.63, though its text says 2.70.
TEST(Published, ChunkedSlowdownsHaveTheMeanOfTheTable) {
  std::vector<double> slowdowns;
  for (const Published& entry : kPublished) {
    if (entry.chunked != 0) slowdowns.push_back(entry.chunked);
  }
  EXPECT_NEAR(geometric_mean(slowdowns)->value, 2.63, 0.005);
}

}  // namespace
}  // namespace bench::parallel
