// Where the ways to two tasks part.
#include "findings/origin.hpp"

#include <gtest/gtest.h>
#include <map>

namespace anyorder::findings {
namespace {

// Task → parent; created at a line of the task's own number.
using Parents = std::map<std::uint64_t, std::uint64_t>;

Origin origin(const Parents& parents, std::uint64_t task) {
  return origin_of(task, [&](std::uint64_t at) -> std::optional<std::pair<Frame, std::uint64_t>> {
    const auto parent = parents.find(at);
    if (parent == parents.end()) return std::nullopt;
    return std::pair(Frame{0, {"a.cpp", static_cast<std::uint32_t>(at), 0, {}}}, parent->second);
  });
}

Race race(const Parents& parents, std::uint64_t first, std::uint64_t second) {
  return race_between(0x100, 0x104, {AccessKind::write, 7, origin(parents, first)},
                      {AccessKind::read, 8, origin(parents, second)});
}

const Parents kFamily{{1, 0}, {2, 1}, {3, 1}, {4, 3}};

TEST(Origin, TwoWaysPartInTheNearestCommonAncestor) {
  const Race found = race(kFamily, 2, 4);
  EXPECT_EQ(found.first.parting, (Parting{1, 1}));
  EXPECT_EQ(found.second.parting, (Parting{1, 2}));
  ASSERT_EQ(found.second.created_at.size(), 3U);
  EXPECT_EQ(found.second.created_at.begin()->source.line, 4U);
  EXPECT_EQ(found.second.task, 4U);
  EXPECT_EQ(found.second.stack.innermost().pc, 8U);
  EXPECT_EQ(found.size, 4U);
}

TEST(Origin, ATaskAndItsAncestorPartInTheAncestor) {
  EXPECT_EQ(race(kFamily, 4, 1).first.parting, (Parting{1, 2}));
  EXPECT_EQ(race(kFamily, 4, 1).second.parting, (Parting{1, 0}));
  EXPECT_EQ(race(kFamily, 0, 2).first.parting, (Parting{0, 0}));
  EXPECT_EQ(race(kFamily, 0, 2).first.created_at.size(), 0U);
}

TEST(Origin, WaysThatPartTooFarUpAreNotFollowed) {
  Parents parents;
  for (std::uint64_t task = 1; task <= 2000; ++task) parents[task] = task <= 2 ? 0 : task - 2;
  const Race found = race(parents, 1999, 2000);
  EXPECT_FALSE(found.first.parting);
  EXPECT_EQ(found.first.created_at.size(), Origin::kMostCreations);
  EXPECT_TRUE(race(parents, 11, 10).first.parting);
}

}  // namespace
}  // namespace anyorder::findings
