#include "support/equal_blocks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace anyorder::support {
namespace {

struct alignas(16) Two {
  std::uint64_t low;
  std::uint64_t high;
  friend bool operator==(const Two&, const Two&) = default;
};
constexpr Two kOld{1, 2};
constexpr Two kNew{3, 4};
constexpr std::size_t kMost = 40;

// Blocks that differ from the others in one bit of either half.
constexpr std::array<Two, 2> kOthers{
    {{kOld.low ^ (std::uint64_t{1} << 63U), kOld.high}, {kOld.low, kOld.high ^ 1U}}};

// All runs within an array, with what is behind them, or nothing.
template <class F>
void for_each_run(F f) {
  for (const Two& other : kOthers) {
    for (std::size_t begin = 0; begin != 3; ++begin) {
      for (std::size_t run = 0; begin + run <= kMost; ++run) {
        for (const std::size_t end : {begin + run, kMost}) {
          std::array<Two, kMost + 1> blocks;
          blocks.fill(other);
          for (std::size_t i = 0; i != run; ++i) blocks[begin + i] = kOld;
          // Behind the end, where it must not look.
          if (end == begin + run) blocks[end] = kOld;
          f(blocks, begin, end, run);
        }
      }
    }
  }
}

TEST(EqualBlocks, AreCountedUpToTheFirstThatDiffers) {
  for_each_run([](const auto& blocks, std::size_t begin, std::size_t end, std::size_t run) {
    ASSERT_EQ(count_equal(blocks.data() + begin, blocks.data() + end, kOld), run);
  });
}

TEST(EqualBlocks, AreReplacedAndNoOther) {
  for_each_run([](auto& blocks, std::size_t begin, std::size_t end, std::size_t run) {
    const auto before = blocks;
    ASSERT_EQ(replace_equal(blocks.data() + begin, blocks.data() + end, kOld, kNew), run);
    for (std::size_t i = 0; i != blocks.size(); ++i) {
      const bool in_run = i >= begin && i < begin + run;
      ASSERT_EQ(blocks[i], in_run ? kNew : before[i]) << begin << " " << end << " " << run << " " << i;
    }
  });
}

}  // namespace
}  // namespace anyorder::support
