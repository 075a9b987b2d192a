#include "events/step_stretches.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace anyorder::events {
namespace {

using Stretches = std::vector<std::pair<std::uintptr_t, std::uintptr_t>>;

class StepStretchesOf : public testing::Test {
 protected:
  // What had to be made.
  template <Access kAccess = Access::read>
  Stretches made(std::uintptr_t begin, std::uintptr_t end, std::uint64_t epoch = 1) {
    Stretches all;
    known.make_rest<kAccess>({begin, end}, epoch, [&](const StepStretches::Stretch& rest) {
      all.emplace_back(rest.begin, rest.end);
    });
    return all;
  }

  StepStretches known;
};

TEST_F(StepStretchesOf, AreMadeOnceInAStep) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made(100, 200), Stretches{});
  EXPECT_EQ(made(120, 180), Stretches{});
  EXPECT_EQ(made(100, 200, 2), (Stretches{{100, 200}}));
}

TEST_F(StepStretchesOf, OnlyTheRestIsNews) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made(150, 250), (Stretches{{200, 250}}));
  EXPECT_EQ(made(50, 120), (Stretches{{50, 100}}));
  EXPECT_EQ(made(50, 250), Stretches{});
}

TEST_F(StepStretchesOf, WhatBeginsWhereAnotherEndsIsJoined) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made(200, 300), (Stretches{{200, 300}}));
  EXPECT_EQ(made(100, 300), Stretches{});
}

TEST_F(StepStretchesOf, WhatSticksOutOnBothSidesIsMadeAnew) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made(50, 250), (Stretches{{50, 250}}));
  EXPECT_EQ(made(50, 250), Stretches{});
}

TEST_F(StepStretchesOf, GapsAreNotKnown) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made(300, 400), (Stretches{{300, 400}}));
  EXPECT_EQ(made(201, 299), (Stretches{{201, 299}}));
}

TEST_F(StepStretchesOf, ReadsAreNoWrites) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made<Access::write>(100, 200), (Stretches{{100, 200}}));
}

TEST_F(StepStretchesOf, WhatIsForgottenIsMadeAgain) {
  EXPECT_EQ(made(100, 200), (Stretches{{100, 200}}));
  EXPECT_EQ(made<Access::write>(100, 200), (Stretches{{100, 200}}));
  known.forget(199, 1);
  EXPECT_EQ(made(100, 110), (Stretches{{100, 110}}));
  EXPECT_EQ(made<Access::write>(100, 110), (Stretches{{100, 110}}));
}

TEST_F(StepStretchesOf, TheOldestMakesRoom) {
  for (std::uintptr_t at = 1000; at != 6000; at += 1000) EXPECT_EQ(made(at, at + 8).size(), 1U);
  EXPECT_EQ(made(5000, 5008), Stretches{});
  EXPECT_EQ(made(1000, 1008).size(), 1U);
}

}  // namespace
}  // namespace anyorder::events
