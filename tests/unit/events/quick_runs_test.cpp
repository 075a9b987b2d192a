#include "events/quick_runs.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace anyorder::events {
namespace {

constexpr std::uintptr_t kPlace = 0x4000;
constexpr std::uintptr_t kSameSlot = kPlace + 4 * kQuickRuns;
constexpr std::uint64_t kCalls = 77;
constexpr std::uintptr_t kStackTop = 0x9000;
constexpr std::uintptr_t kFrame = 0x8000;

struct Settled {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool writes;

  bool operator==(const Settled&) const = default;
};

// One access after the other, as hooks make them.
class QuickRunsOf : public testing::Test {
 protected:
  QuickRunsOf() {
    own.places = places.data();
    own.runs = runs.data();
    own.context = kCalls;
    own.step = kQuickNextStep;
    own.stack_top = kStackTop;
    for (const std::uintptr_t pc : {kPlace, kSameSlot}) quick_place_of(own, pc) = {pc, kCalls, 1U << 8U, {}};
  }

  template <Access kAccess = Access::read, unsigned kBytes = 8>
  void access(std::uintptr_t address, std::uintptr_t pc = kPlace) {
    const auto settle = [this](QuickRun& run) { settle_run(run); };
    if (goes_on<kAccess, kBytes>(own, address, pc)) return;
    if (loops(own, pc) && begins_run<kAccess, kBytes>(own, address, pc, kFrame, settle)) return;
    made.push_back(address);
    if (QuickRun* const over = note_for_runs<kBytes>(own, address, pc)) settle_run(*over);
  }
  void end_step() {
    end_runs(own, [this](QuickRun& run) { settle_run(run); });
    own.step += kQuickNextStep;
  }
  void settle_run(QuickRun& run) {
    settled.push_back({run.begin, run.next, run.writes});
    end_run(run);
  }
  void loop(std::uintptr_t begin, std::uintptr_t end) {
    for (; begin != end; begin += 8) access(begin);
  }

  std::array<QuickRun, kQuickRuns> runs{};
  std::array<QuickPlace, kQuickPlaces> places{};
  QuickThread own{};
  std::vector<std::uintptr_t> made;
  std::vector<Settled> settled;
};

TEST_F(QuickRunsOf, OneRangeForWhatALoopAccesses) {
  loop(0x1000, 0x1100);
  end_step();
  EXPECT_EQ(made, (std::vector<std::uintptr_t>{0x1000, 0x1008}));
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1010, 0x1100, false}}));
  end_step();
  EXPECT_EQ(settled.size(), 1U);
}

TEST_F(QuickRunsOf, APlaceThatLoopsBeginsARunAtOnce) {
  loop(0x1000, 0x1100);
  loop(0x2000, 0x2100);
  end_step();
  EXPECT_EQ(made.size(), 2U);
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1010, 0x1100, false}, {0x2000, 0x2100, false}}));
}

TEST_F(QuickRunsOf, NothingIsLostWhenAPlaceGoesElsewhere) {
  loop(0x1000, 0x1020);
  for (std::uintptr_t at = 0x3000; at != 0x4000; at += 0x100) access(at);
  end_step();
  std::size_t all = made.size();
  for (const Settled& one : settled) all += (one.end - one.begin) / 8;
  EXPECT_EQ(all, 4U + 16U);
  // It has learnt that it loops no more.
  const std::size_t before = settled.size();
  access(0x5000);
  end_step();
  EXPECT_EQ(settled.size(), before);
  EXPECT_EQ(made.back(), 0x5000U);
}

TEST_F(QuickRunsOf, StepsThatContinueEachOtherAreNoLoop) {
  for (std::uintptr_t at = 0x1000; at != 0x1100; at += 8) {
    access(at);
    end_step();
  }
  EXPECT_EQ(made.size(), 32U);
  EXPECT_TRUE(settled.empty());
}

TEST_F(QuickRunsOf, OfAPlaceThatMakesSeveralKindsEachGoesByItself) {
  loop(0x1000, 0x1020);
  access<Access::write>(0x1020);
  access<Access::read, 4>(0x1028);
  end_step();
  ASSERT_EQ(settled.size(), 3U);
  EXPECT_EQ(settled[0], (Settled{0x1010, 0x1020, false}));
  EXPECT_EQ(settled[1], (Settled{0x1020, 0x1028, true}));
  EXPECT_EQ(settled[2], (Settled{0x1028, 0x102c, false}));
}

TEST_F(QuickRunsOf, OtherCallersAreOtherPlaces) {
  loop(0x1000, 0x1020);
  own.context = kCalls + 1;
  access(0x1020);
  EXPECT_EQ(made.back(), 0x1020U);
}

TEST_F(QuickRunsOf, LocalsOfTheTaskHaveNone) {
  loop(kFrame + 0x100, kFrame + 0x200);
  EXPECT_EQ(made.size(), 32U);
  loop(kStackTop, kStackTop + 0x100);
  EXPECT_EQ(made.size(), 32U);
  loop(kFrame - 0x100, kFrame - 0x80);
  EXPECT_EQ(made.size(), 32U);
}

TEST_F(QuickRunsOf, WhatIsNotAlignedIsMade) {
  loop(0x1000, 0x1020);
  access(0x2004);
  EXPECT_EQ(made.back(), 0x2004U);
}

TEST_F(QuickRunsOf, OfTwoPlacesInOneSlotTheOneThatGoesOnStays) {
  loop(0x1000, 0x1020);
  for (std::uintptr_t at = 0x1020; at != 0x1100; at += 8) {
    access(at);
    access(0x5000 + (at & 8U), kSameSlot);
  }
  end_step();
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1010, 0x1100, false}}));
}

TEST_F(QuickRunsOf, OfTwoPlacesInOneSlotTheOneThatIsOverGives) {
  loop(0x1000, 0x1100);
  for (std::uintptr_t at = 0x5000; at != 0x5100; at += 8) access(at, kSameSlot);
  end_step();
  ASSERT_EQ(settled.size(), 2U);
  EXPECT_EQ(settled[0], (Settled{0x1010, 0x1100, false}));
  EXPECT_EQ(settled[1].end, 0x5100U);
}

TEST_F(QuickRunsOf, KnowsWhatIsInOne) {
  loop(0x1000, 0x1100);
  EXPECT_TRUE((is_of_runs<Access::read>(own, 0x1010, 8)));
  EXPECT_TRUE((is_of_runs<Access::read>(own, 0x10fc, 4)));
  EXPECT_FALSE((is_of_runs<Access::read>(own, 0x1100, 1)));
  EXPECT_FALSE((is_of_runs<Access::read>(own, 0x1008, 8)));
  EXPECT_FALSE((is_of_runs<Access::write>(own, 0x1010, 8)));
  end_step();
  EXPECT_FALSE((is_of_runs<Access::read>(own, 0x1010, 8)));
}

}  // namespace
}  // namespace anyorder::events
