#include "support/power_histogram.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace anyorder::support {
namespace {

TEST(PowerHistogram, RowsEndWithPowersOfTwo) {
  const std::string names[] = {"0", "1", "2", "3-4", "5-8", "9-16", "17-32"};
  for (std::size_t row = 0; row < std::size(names); ++row)
    EXPECT_EQ(PowerHistogram::name_of(row), names[row]);
  EXPECT_EQ(PowerHistogram::row_of(0), 0U);
  EXPECT_EQ(PowerHistogram::row_of(1), 1U);
  EXPECT_EQ(PowerHistogram::row_of(2), 2U);
  for (unsigned power = 2; power < 64; ++power) {
    const std::uint64_t last = std::uint64_t{1} << power;
    EXPECT_EQ(PowerHistogram::row_of(last / 2 + 1), power + 1);
    EXPECT_EQ(PowerHistogram::row_of(last), power + 1);
  }
  EXPECT_EQ(PowerHistogram::name_of(PowerHistogram::row_of(~std::uint64_t{0})),
            "9223372036854775809-18446744073709551615");
}

TEST(PowerHistogram, Counts) {
  PowerHistogram histogram;
  EXPECT_EQ(histogram.rows(), 0U);
  EXPECT_EQ(histogram.count(), 0U);
  for (const std::uint64_t value : {0, 0, 1, 6, 8, 5}) histogram.add(value);
  EXPECT_EQ(histogram.count(), 6U);
  EXPECT_EQ(histogram.sum(), 20U);
  EXPECT_EQ(histogram.largest(), 8U);
  ASSERT_EQ(histogram.rows(), 5U);
  const std::uint64_t expected[] = {2, 1, 0, 0, 3};
  for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(histogram[row], expected[row]) << row;
  histogram.add(~std::uint64_t{0});
  EXPECT_EQ(histogram[histogram.rows() - 1], 1U);
}

}  // namespace
}  // namespace anyorder::support
