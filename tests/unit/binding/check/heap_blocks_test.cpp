#include "binding/check/heap_blocks.hpp"

#include <array>
#include <gtest/gtest.h>

namespace anyorder::binding {
namespace {

constexpr std::array<std::uintptr_t, 2> kHere{0x1000, 0x2000};
constexpr std::array<std::uintptr_t, 1> kThere{0x3000};

TEST(HeapBlocks, AreFoundByEachOfTheirBytesOnly) {
  HeapBlocks blocks;
  blocks.add(100, 16, kHere);
  EXPECT_FALSE(blocks.find(99));
  EXPECT_EQ(blocks.find(100)->begin, 100U);
  EXPECT_EQ(blocks.find(115)->bytes, 16U);
  EXPECT_FALSE(blocks.find(116));
  EXPECT_EQ(blocks.find(100)->allocated_at.size(), 2U);
  EXPECT_EQ(blocks.find(100)->allocated_at.innermost().pc, 0x1000U);
}

TEST(HeapBlocks, AFreedBlockIsKnownUntilItsMemoryIsUsedAgain) {
  HeapBlocks blocks;
  blocks.add(100, 16, kHere);
  EXPECT_EQ(blocks.take(100), 16U);
  EXPECT_EQ(blocks.take(100), std::nullopt);  // twice
  EXPECT_EQ(blocks.find(104)->allocated_at.innermost().pc, 0x1000U);
  blocks.add(104, 4, kThere);
  EXPECT_FALSE(blocks.find(100));
  EXPECT_EQ(blocks.find(104)->allocated_at.innermost().pc, 0x3000U);
}

TEST(HeapBlocks, OnlyTheBeginningOfABlockIsFreed) {
  HeapBlocks blocks;
  blocks.add(100, 16, kHere);
  EXPECT_EQ(blocks.take(104), std::nullopt);
  EXPECT_EQ(blocks.take(100), 16U);
}

TEST(HeapBlocks, ANewBlockTakesThePlaceOfAllThatItOverlaps) {
  HeapBlocks blocks;
  blocks.add(100, 16, kHere);
  blocks.add(116, 16, kHere);
  blocks.add(132, 16, kHere);
  blocks.add(110, 24, kThere);
  EXPECT_FALSE(blocks.find(100));
  EXPECT_EQ(blocks.find(110)->bytes, 24U);
  EXPECT_EQ(blocks.find(133)->begin, 110U);
  EXPECT_FALSE(blocks.find(134));
}

TEST(HeapBlocks, AnEmptyBlockHasAPlace) {
  HeapBlocks blocks;
  blocks.add(100, 0, kHere);
  EXPECT_TRUE(blocks.take(100));
}

}  // namespace
}  // namespace anyorder::binding
