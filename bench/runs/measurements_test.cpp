#include "runs/measurements.hpp"

#include <gtest/gtest.h>

#include "runs/run.hpp"

namespace bench {
namespace {

std::optional<Sample> sample(double seconds, double peak_bytes) {
  return Sample{seconds, 2 * seconds, peak_bytes};
}

// Two columns: plain, and one more with these rounds.
ProgramResults program_with(std::vector<std::optional<Sample>> plain,
                            std::vector<std::optional<Sample>> other) {
  ProgramResults program;
  program.columns = {{std::move(plain), ""}, {std::move(other), ""}};
  return program;
}

TEST(SampleIn, FindsTheLineAmongOthers) {
  const auto found = sample_in("hello\nmeasured fib 20 0.25 0.125 4096\n", "fib", 20);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->seconds, 0.25);
  EXPECT_DOUBLE_EQ(found->processor_seconds, 0.125);
  EXPECT_DOUBLE_EQ(found->peak_bytes, 4096);
}

TEST(SampleIn, WantsThisProgramAndThisSize) {
  EXPECT_FALSE(sample_in("measured fib 20 0.25 0.125 4096\n", "matmul", 20));
  EXPECT_FALSE(sample_in("measured fib 20 0.25 0.125 4096\n", "fib", 21));
  EXPECT_FALSE(sample_in("", "fib", 20));
}

TEST(SampleIn, WantsAllWordsAndNoZero) {
  EXPECT_FALSE(sample_in("measured fib 20 0.25 4096\n", "fib", 20));
  EXPECT_FALSE(sample_in("measured fib 20 0 0.125 4096\n", "fib", 20));
  EXPECT_FALSE(sample_in("measured fib 20 0.25 0.125 0\n", "fib", 20));
  EXPECT_FALSE(sample_in("estimated fib 20 0.25 0.125 4096\n", "fib", 20));
}

std::vector<double> numbers_to(int last) {
  std::vector<double> numbers;
  for (int i = last; i != 0; --i) numbers.push_back(i);
  return numbers;
}

// The ranks are those of the tables of the binomial distribution.
TEST(IntervalOf, IsFromValueToValue) {
  const auto expect = [](int values, double low, double high) {
    const Interval found = interval_of(numbers_to(values));
    EXPECT_DOUBLE_EQ(found.low, low) << values;
    EXPECT_DOUBLE_EQ(found.high, high) << values;
    EXPECT_DOUBLE_EQ(found.median, (values + 1) / 2.0) << values;
  };
  expect(1, 1, 1);
  expect(5, 1, 5);
  expect(6, 1, 6);
  expect(8, 1, 8);
  expect(9, 2, 8);
  expect(10, 2, 9);
  expect(12, 3, 10);
  expect(20, 6, 15);
  expect(100, 40, 61);
}

TEST(IntervalOf, DoesNotMindOneThatIsFarOut) {
  const Interval found = interval_of({1, 1, 1, 1, 1000, 1, 1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(found.high, 1);
  EXPECT_DOUBLE_EQ(found.mean, 100.9);
}

TEST(Ratios, AreOfRunsInTheSameRound) {
  // The medians of the columns alone would give 4.
  const auto program = program_with({sample(1, 10), sample(2, 10), sample(8, 10)},
                                    {sample(9, 20), sample(4, 20), sample(8, 20)});
  const auto found = ratios(program, 1, Quantity::seconds);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->least, 1);
  EXPECT_DOUBLE_EQ(found->median, 2);
  EXPECT_DOUBLE_EQ(found->most, 9);
  EXPECT_DOUBLE_EQ(ratios(program, 1, Quantity::peak_bytes)->median, 2);
}

TEST(Ratios, LeaveOutRoundsThatAreNotComplete) {
  const auto program =
      program_with({sample(1, 1), std::nullopt, sample(1, 1)}, {sample(3, 1), sample(50, 1), std::nullopt});
  const auto found = ratios(program, 1, Quantity::seconds);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->least, 3);
  EXPECT_DOUBLE_EQ(found->most, 3);
}

TEST(Ratios, ThereAreNoneWithoutACommonRoundOrWithARemark) {
  EXPECT_FALSE(
      ratios(program_with({sample(1, 1), std::nullopt}, {std::nullopt, sample(1, 1)}), 1, Quantity::seconds));
  auto program = program_with({sample(1, 1)}, {sample(1, 1)});
  program.columns[1].remark = "unknown";
  EXPECT_FALSE(ratios(program, 1, Quantity::seconds));
  EXPECT_FALSE(ratios(program, 0, Quantity::seconds, 1));
}

TEST(Ratios, MayBeToAnyColumn) {
  const auto program = program_with({sample(6, 1)}, {sample(3, 1)});
  EXPECT_DOUBLE_EQ(ratios(program, 0, Quantity::seconds, 1)->median, 2);
}

TEST(Statistic, IsFoundByItsName) {
  ProgramResults program;
  program.statistics = {{"non_tree_joins", 12}, {"average_readers", 0.5}};
  EXPECT_EQ(statistic(program, "average_readers"), 0.5);
  EXPECT_FALSE(statistic(program, "merges"));
}

TEST(GeometricMean, IsOfTheProgramsThatHaveARatio) {
  Measurements all;
  all.columns = {{Way::plain, "plain"}, {Way::hooks, "hooks"}};
  EXPECT_FALSE(geometric_mean(all, 1, Quantity::seconds));
  all.programs = {program_with({sample(1, 1)}, {sample(2, 1)}), program_with({sample(1, 1)}, {sample(8, 1)}),
                  program_with({sample(1, 1)}, {std::nullopt})};
  const auto mean = geometric_mean(all, 1, Quantity::seconds);
  ASSERT_TRUE(mean.has_value());
  EXPECT_DOUBLE_EQ(mean->value, 4);
  EXPECT_EQ(mean->programs, 2U);
}

}  // namespace
}  // namespace bench
