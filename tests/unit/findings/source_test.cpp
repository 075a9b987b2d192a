#include "findings/source.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <utility>

namespace anyorder::findings {
namespace {

Trace at(std::initializer_list<std::uintptr_t> addresses) {
  Trace::Frames frames;
  for (const std::uintptr_t pc : addresses) frames.push_back({pc, {}});
  return Trace(std::move(frames));
}

TEST(Site, IsTheLineWhenItIsKnown) {
  const Frame here{0x10, {"a.cpp", 7, 3, "f"}};
  const Frame same_line{0x99, {"a.cpp", 7, 21, "f<int>"}};
  const Frame other_line{0x10, {"a.cpp", 8, 3, "f"}};
  EXPECT_EQ(site_of(here), site_of(same_line));
  EXPECT_NE(site_of(here), site_of(other_line));
}

TEST(Site, IsTheCodeAddressWhenTheLineIsNotKnown) {
  EXPECT_EQ(site_of({0x10, {}}), site_of({0x10, {}}));
  EXPECT_NE(site_of({0x10, {}}), site_of({0x11, {}}));
  // A function without a line is no place to tell two accesses apart by.
  EXPECT_NE(site_of({0x10, {"", 0, 0, "f"}}), site_of({0x11, {"", 0, 0, "f"}}));
  EXPECT_NE(site_of({0x10, {"a.cpp", 0, 0, "f"}}), site_of({0x11, {"a.cpp", 0, 0, "f"}}));
}

TEST(Trace, ComparesByContent) {
  const Trace a = at({0x10, 0x20});
  const Trace equal = at({0x10, 0x20});
  const Trace longer = at({0x10, 0x20, 0x30});
  EXPECT_EQ(a, equal);
  EXPECT_FALSE(a.shares_frames_with(equal));
  EXPECT_LT(a, longer);
  EXPECT_LT(Trace(), a);
}

TEST(Trace, CopiesShareTheirFrames) {
  const Trace a = at({0x10});
  EXPECT_TRUE(a.is_sole_owner());
  const Trace copy = a;  // NOLINT(performance-unnecessary-copy-initialization): the copy is the test
  EXPECT_TRUE(copy.shares_frames_with(a));
  EXPECT_FALSE(a.is_sole_owner());
}

TEST(Trace, EmptyHasAnInnermostFrameThatKnowsNothing) {
  EXPECT_TRUE(Trace().empty());
  EXPECT_TRUE(Trace(Trace::Frames{}).empty());
  EXPECT_EQ(Trace().begin(), Trace().end());
  EXPECT_EQ(Trace().innermost(), Frame{});
  EXPECT_EQ(at({0x10, 0x20}).innermost().pc, 0x10U);
}

}  // namespace
}  // namespace anyorder::findings
