#include "events/quick_lines.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace anyorder::events {
namespace {

class QuickLinesOf : public testing::Test {
 protected:
  QuickLinesOf() {
    own.counts = &counts;
    own.lines = lines.data();
    own.step = kQuickNextStep;
  }

  template <Access kAccess, unsigned kBytes>
  void make(std::uintptr_t address) {
    remember<kAccess>(remembered_line(own, address), bytes_in_line<kBytes>(address));
  }
  template <Access kAccess, unsigned kBytes>
  [[nodiscard]] bool knows(std::uintptr_t address) const {
    const QuickLine& line = quick_line_of(own, address);
    if (line.key != quick_line_key(own, address)) return false;
    return has_bytes<kBytes>(kAccess == Access::write ? line.written : line.read, address);
  }

  std::array<QuickLine, kQuickLines> lines{};
  QuickCounts counts{};
  QuickThread own{};
};

TEST_F(QuickLinesOf, WhatWasAccessedIsKnownByByte) {
  make<Access::read, 4>(0x1004);
  EXPECT_TRUE((knows<Access::read, 4>(0x1004)));
  EXPECT_TRUE((knows<Access::read, 2>(0x1006)));
  EXPECT_TRUE((knows<Access::read, 1>(0x1007)));
  EXPECT_FALSE((knows<Access::read, 1>(0x1008)));
  EXPECT_FALSE((knows<Access::read, 8>(0x1000)));
  make<Access::read, 4>(0x1000);
  EXPECT_TRUE((knows<Access::read, 8>(0x1000)));
  EXPECT_FALSE((knows<Access::read, 16>(0x1000)));
  make<Access::read, 8>(0x1008);
  EXPECT_TRUE((knows<Access::read, 16>(0x1000)));
}

TEST_F(QuickLinesOf, TheLastWordOfALineIsKnown) {
  make<Access::write, 16>(0x1030);
  EXPECT_TRUE((knows<Access::write, 16>(0x1030)));
  EXPECT_TRUE((knows<Access::write, 8>(0x1038)));
  EXPECT_FALSE((knows<Access::write, 8>(0x1040)));
}

TEST_F(QuickLinesOf, WhoWritesNeedNotRead) {
  make<Access::write, 8>(0x1000);
  EXPECT_TRUE((knows<Access::read, 8>(0x1000)));
  make<Access::read, 8>(0x1008);
  EXPECT_FALSE((knows<Access::write, 8>(0x1008)));
}

TEST_F(QuickLinesOf, AnotherStepKnowsNothing) {
  make<Access::write, 8>(0x1000);
  end_lines(own);
  EXPECT_FALSE((knows<Access::read, 8>(0x1000)));
  EXPECT_FALSE((knows<Access::write, 8>(0x1000)));
}

TEST_F(QuickLinesOf, StepsWhoseNumbersComeAgainKnowNothing) {
  make<Access::write, 8>(0x1000);
  const std::uint64_t first = own.step;
  own.step = 0 - kQuickNextStep;
  end_lines(own);
  EXPECT_EQ(own.step, first);
  EXPECT_FALSE((knows<Access::read, 8>(0x1000)));
}

TEST_F(QuickLinesOf, WhatIsForgottenIsNotKnown) {
  for (std::uintptr_t at = 0x1000; at != 0x1100; at += 8) make<Access::write, 8>(at);
  forget_lines(own, 0x107f, 2);
  EXPECT_TRUE((knows<Access::write, 8>(0x1038)));
  EXPECT_FALSE((knows<Access::write, 8>(0x1040)));
  EXPECT_FALSE((knows<Access::write, 8>(0x1080)));
  EXPECT_TRUE((knows<Access::write, 8>(0x10c0)));
  forget_lines(own, 0x4000'0000, std::size_t{1} << 30U);  // so much at once: nothing is
  EXPECT_FALSE((knows<Access::write, 8>(0x10c0)));
}

TEST_F(QuickLinesOf, AStepTellsWhatItCounted) {
  count_made<Access::read>(own);
  count_made<Access::read>(own);
  count_made<Access::write>(own);
  EXPECT_EQ(counts.reads[0], 0U);
  end_lines(own);
  end_lines(own);
  EXPECT_EQ(counts.reads[0], 2U);
  EXPECT_EQ(counts.writes[0], 1U);
}

TEST(QuickBytes, OfAnyLength) {
  EXPECT_EQ(bytes_in_line(0x1001, 3), 0b1110U);
  EXPECT_EQ(bytes_in_line(0x103f, 1), std::uint64_t{1} << 63U);
  EXPECT_EQ(bytes_in_line(0x103f, 2), 0U);  // of two lines
  EXPECT_EQ(bytes_of_all_words(0x81), 0x8181'8181'8181'8181U);
}

}  // namespace
}  // namespace anyorder::events
