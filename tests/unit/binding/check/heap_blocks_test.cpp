#include "binding/check/heap_blocks.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace anyorder::binding {
namespace {

constexpr PlaceNumber kHere = 1;
constexpr PlaceNumber kThere = 2;

TEST(HeapBlocks, AreFoundByEachOfTheirBytesOnly) {
  HeapBlocks blocks;
  blocks.add(100, 16, kHere);
  EXPECT_FALSE(blocks.find(99));
  EXPECT_EQ(blocks.find(100)->begin, 100U);
  EXPECT_EQ(blocks.find(115)->bytes, 16U);
  EXPECT_FALSE(blocks.find(116));
  EXPECT_EQ(blocks.find(100)->allocated_at, kHere);
}

TEST(HeapBlocks, AFreedBlockIsKnownUntilItsMemoryIsUsedAgain) {
  HeapBlocks blocks;
  blocks.add(100, 16, kHere);
  EXPECT_EQ(blocks.take(100), 16U);
  EXPECT_EQ(blocks.take(100), std::nullopt);  // twice
  EXPECT_EQ(blocks.find(104)->allocated_at, kHere);
  blocks.add(104, 4, kThere);
  EXPECT_FALSE(blocks.find(100));
  EXPECT_EQ(blocks.find(104)->allocated_at, kThere);
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

TEST(HeapBlocks, LieAnywhereAndHaveAnySize) {
  HeapBlocks blocks;
  constexpr std::uintptr_t kAt = 0x7fff'4000'0000;
  constexpr std::size_t kLarge = std::size_t{3} << 30U;
  blocks.add(kAt - 8, 16, kHere);  // over the edge of everything that blocks are found by
  blocks.add(kAt + 64, kLarge, kThere);
  EXPECT_EQ(blocks.find(kAt + 7)->begin, kAt - 8);
  EXPECT_FALSE(blocks.find(kAt + 8));
  EXPECT_EQ(blocks.find(kAt + kLarge)->begin, kAt + 64);
  EXPECT_EQ(blocks.take(kAt + 64), kLarge);
  EXPECT_EQ(blocks.take(kAt - 8), 16U);
  blocks.add(kAt + (std::uintptr_t{1} << 30U), 8, kHere);  // within what was freed
  EXPECT_FALSE(blocks.find(kAt + 64));
  EXPECT_FALSE(blocks.find(kAt + kLarge));
}

// Blocks as the class describes them, one by one.
class Model {
 public:
  void add(std::uintptr_t begin, std::size_t bytes, PlaceNumber place) {
    std::erase_if(blocks_, [&](const Known& known) {
      return known.block.begin < begin + bytes && begin < known.block.begin + known.block.bytes;
    });
    blocks_.push_back({{begin, bytes, place}, false});
  }
  std::optional<std::size_t> take(std::uintptr_t begin) {
    for (Known& known : blocks_) {
      if (known.block.begin == begin && !std::exchange(known.freed, true)) return known.block.bytes;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<HeapBlocks::Block> find(std::uintptr_t address) const {
    for (const Known& known : blocks_) {
      if (address - known.block.begin < known.block.bytes) return known.block;
    }
    return std::nullopt;
  }

 private:
  struct Known {
    HeapBlocks::Block block;
    bool freed;
  };
  std::vector<Known> blocks_;
};

TEST(HeapBlocks, AgreeWithAModel) {
  constexpr std::uintptr_t kBase = 0x1'4000'0000 - 0x1'0000;  // around the edge of a gigabyte
  constexpr std::uintptr_t kRange = 0x2'0000;
  std::mt19937 random(7);
  HeapBlocks blocks;
  Model model;
  for (PlaceNumber i = 1; i != 20'000; ++i) {
    const std::uintptr_t address = kBase + random() % kRange;
    const std::size_t bytes = 1 + random() % (random() % 50 == 0 ? 40'000 : 200);
    if (random() % 3 == 0) {
      blocks.add(address, bytes, i);
      model.add(address, bytes, i);
    }
    const std::uintptr_t sought = kBase + random() % kRange;
    const auto found = blocks.find(sought);
    const auto expected = model.find(sought);
    ASSERT_EQ(found.has_value(), expected.has_value()) << i;
    if (!expected) continue;
    ASSERT_EQ(found->begin, expected->begin) << i;
    ASSERT_EQ(found->bytes, expected->bytes) << i;
    ASSERT_EQ(found->allocated_at, expected->allocated_at) << i;
    ASSERT_EQ(blocks.take(expected->begin), model.take(expected->begin)) << i;
    ASSERT_EQ(blocks.take(sought), model.take(sought)) << i;
  }
}

}  // namespace
}  // namespace anyorder::binding
