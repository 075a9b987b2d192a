// BlockCache: blocks that do not overlap, are aligned, and may go home to another cache.

#include "support/block_cache.hpp"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

namespace anyorder::support {
namespace {

struct Block {
  unsigned char* memory;
  std::size_t bytes;
  unsigned char mark;

  bool intact() const {
    for (std::size_t i = 0; i != bytes; ++i) {
      if (memory[i] != mark) return false;
    }
    return true;
  }
};

Block take(BlockCache& cache, std::size_t bytes, unsigned char mark) {
  const Block block{static_cast<unsigned char*>(cache.allocate(bytes)), bytes, mark};
  std::memset(block.memory, mark, bytes);
  return block;
}

TEST(BlockCache, GivesBlocksThatDoNotOverlap) {
  BlockCache caches[2];
  std::mt19937 random(7);
  std::vector<Block> blocks;
  for (int i = 0; i != 20'000; ++i) {
    if (blocks.size() < 50 || (random() % 2 == 0 && blocks.size() < 2000)) {
      const std::size_t bytes = 1 + random() % (i % 10 == 0 ? 2000 : 64);
      blocks.push_back(take(caches[random() % 2], bytes, static_cast<unsigned char>(i)));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back().memory) % alignof(std::max_align_t), 0U);
    } else {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      ASSERT_TRUE(blocks.back().intact());
      caches[random() % 2].free(blocks.back().memory, blocks.back().bytes);
      blocks.pop_back();
    }
  }
  for (const Block& block : blocks) {
    ASSERT_TRUE(block.intact());
    caches[0].free(block.memory, block.bytes);
  }
}

TEST(BlockCache, HasRoomForTheWholeClassOfSizes) {
  BlockCache cache;
  for (const std::size_t small : {1U, 16U, 17U, 497U, 511U, 512U, 513U, 1000U}) {
    void* const first = cache.allocate(small);
    cache.free(first, small);
    // What is reused for a larger size of the same class has to be that large; AddressSanitizer looks.
    const std::size_t large = small <= 512 ? (small + 15) / 16 * 16 : small;
    const Block block = take(cache, large, 3);
    EXPECT_TRUE(block.intact());
    cache.free(block.memory, large);
  }
}

#if !ANYORDER_ASAN
TEST(BlockCache, UsesABlockAgain) {
  BlockCache cache;
  void* const block = cache.allocate(100);
  cache.free(block, 100);
  EXPECT_EQ(cache.allocate(112), block) << "100 and 112 bytes are of one class";
  cache.free(block, 112);
}

TEST(BlockCache, KeepsAsManyAsItMadeForWhoWantsIt) {
  constexpr std::size_t kBlocks = 1000;
  BlockCache cache;
  BlockCache other;
  std::vector<void*> blocks(kBlocks);
  for (void*& block : blocks) block = cache.allocate(100);
  for (void* const block : blocks) cache.free(block, 100, true);
  for (std::size_t i = kBlocks; i-- > 0;) EXPECT_EQ(cache.allocate(100), blocks[i]);
  // A cache that made none keeps no more than always.
  for (void* const block : blocks) other.free(block, 100, true);
  for (std::size_t i = 0; i != 256; ++i) blocks[i] = other.allocate(100);
  for (std::size_t i = 0; i != 256; ++i) cache.free(blocks[i], 100);
}
#endif

}  // namespace
}  // namespace anyorder::support
