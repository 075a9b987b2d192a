#include "events/step_ranges.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace anyorder::events {
namespace {

constexpr std::uintptr_t kPlace = 0x400;

class StepRangesOf : public testing::Test {
 protected:
  // Whether it had to be made.
  template <Access kAccess = Access::read>
  bool makes(std::uint32_t step, const Rows& rows, std::uintptr_t place = kPlace) {
    bool made = false;
    ranges.make_once<kAccess>(
        place, rows, [step] { return step; }, [&made] { made = true; });
    return made;
  }

  StepRanges ranges;
};

TEST_F(StepRangesOf, ARangeIsMadeOnceInAStep) {
  EXPECT_TRUE(makes(1, {0x1000, 100}));
  EXPECT_FALSE(makes(1, {0x1000, 100}));
  EXPECT_TRUE(makes(2, {0x1000, 100}));
  EXPECT_TRUE(makes(1, {0x1000, 100})) << "the last one is remembered";
}

TEST_F(StepRangesOf, WhatIsWithinIsMade) {
  EXPECT_TRUE(makes(1, {0x1000, 100}));
  EXPECT_FALSE(makes(1, {0x1010, 84}));
  EXPECT_TRUE(makes(1, {0x1010, 85}));
  EXPECT_TRUE(makes(1, {0x100f, 85}));
}

TEST_F(StepRangesOf, ReadsAreNoWrites) {
  EXPECT_TRUE(makes(1, {0x1000, 100}));
  EXPECT_TRUE(makes<Access::write>(1, {0x1000, 100}));
  EXPECT_FALSE(makes<Access::write>(1, {0x1000, 100}));
}

TEST_F(StepRangesOf, OtherShapesAreOthers) {
  const Rows rows{0x1000, 8, 16, 10};
  EXPECT_TRUE(makes(1, rows));
  EXPECT_FALSE(makes(1, rows));
  EXPECT_TRUE(makes(1, {0x1000, 8, 16, 11}));
  EXPECT_TRUE(makes(1, {0x1000, 8, 24, 11}));
  EXPECT_TRUE(makes(1, {0x1000, 8, 24, 11, 1000, 2}));
  EXPECT_TRUE(makes(1, {0x1000, 8})) << "rows have gaps";
}

TEST_F(StepRangesOf, AStepWithoutANumberIsNotRemembered) {
  EXPECT_TRUE(makes(0, {0x1000, 100}));
  EXPECT_TRUE(makes(0, {0x1000, 100}));
}

TEST_F(StepRangesOf, AStepMayGetItsNumberMeanwhile) {
  std::uint32_t step = 0;
  ranges.make_once<Access::read>(
      kPlace, {0x1000, 100}, [&step] { return step; }, [&step] { step = 7; });
  EXPECT_FALSE(makes(7, {0x1000, 100}));
}

TEST_F(StepRangesOf, WhatIsForgottenIsMadeAgain) {
  const Rows down{0x2000, 8, -0x100, 16};
  EXPECT_TRUE(makes(1, {0x1800, 100}));
  EXPECT_TRUE(makes(1, down, kPlace + 4));
  ranges.forget(0x2008, 100);
  ranges.forget(0x1000, 0x100);
  EXPECT_FALSE(makes(1, {0x1800, 100}));
  EXPECT_FALSE(makes(1, down, kPlace + 4));
  ranges.forget(0x1107, 1);  // the lowest row's last byte
  EXPECT_TRUE(makes(1, down, kPlace + 4));
  ranges.forget(0x2007, 1);
  EXPECT_TRUE(makes(1, down, kPlace + 4));
}

TEST(Rows, HaveAllTheirBytesBetweenLowestAndEnd) {
  const Rows rows{0x5000, 8, -0x10, 3, 0x100, 4};
  EXPECT_EQ(rows.lowest(), 0x5000U - 0x20U);
  EXPECT_EQ(rows.end(), 0x5000U + 0x300U + 8U);
  EXPECT_EQ((Rows{0x5000, 8}.lowest()), 0x5000U);
  EXPECT_EQ((Rows{0x5000, 8}.end()), 0x5008U);
}

}  // namespace
}  // namespace anyorder::events
