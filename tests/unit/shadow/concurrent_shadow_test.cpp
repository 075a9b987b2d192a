// ConcurrentShadow: threads that work on the bytes of the same words do not lose what the others do.

#include "shadow/concurrent_shadow.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <thread>
#include <vector>

#include "cells.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::shadow {
namespace {

using test::cell_of;
using test::LargePolicy;
using test::SmallPolicy;

constexpr unsigned kBits = 30;
constexpr std::uintptr_t kBase = 0x7f00'0000'0000;
constexpr int kThreads = 4;
constexpr int kRounds = ANYORDER_TSAN || ANYORDER_ASAN ? 2'000 : 20'000;

template <class F>
void in_threads(F f) {
  std::vector<std::thread> threads;
  std::barrier together(kThreads);
  for (int t = 0; t != kThreads; ++t) {
    threads.emplace_back([&, t] {
      together.arrive_and_wait();
      f(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

template <class Policy>
class ConcurrentShadowTest : public testing::Test {
 protected:
  using Cell = typename Policy::Cell;

  // `may_tear`: while the memory is forgotten at the same time.
  void add_one(std::uintptr_t address, std::size_t bytes, bool may_tear = false) {
    shadow_.for_each_piece(address, bytes, [&](Cell& cell, std::uintptr_t, std::size_t) {
      if constexpr (sizeof(Cell) > 8) {
        ASSERT_TRUE(cell.value == cell.copy || may_tear) << cell.value << ' ' << cell.copy;
      }
      cell = cell_of<Cell>(cell.value + 1);
    });
  }
  std::vector<std::uint64_t> values(std::uintptr_t address, std::size_t bytes) {
    std::vector<std::uint64_t> all;
    shadow_.for_each_piece(address, bytes, [&](Cell& cell, std::uintptr_t, std::size_t size) {
      all.insert(all.end(), size, cell.value);
    });
    return all;
  }

  ConcurrentShadow<Policy, kBits> shadow_{std::span<const AddressRange>()};
};

using Policies = testing::Types<SmallPolicy<8>, LargePolicy<8>, SmallPolicy<4>, LargePolicy<4>>;
TYPED_TEST_SUITE(ConcurrentShadowTest, Policies);

TYPED_TEST(ConcurrentShadowTest, NoCountIsLostInAWord) {
  in_threads([&](int) {
    for (int i = 0; i != kRounds; ++i) this->add_one(kBase, this->shadow_.kWordBytes);
  });
  EXPECT_EQ(this->values(kBase, this->shadow_.kWordBytes),
            std::vector<std::uint64_t>(this->shadow_.kWordBytes, kThreads * kRounds));
  EXPECT_EQ(this->shadow_.statistics().split_words, 0U);
}

TYPED_TEST(ConcurrentShadowTest, EachByteIsItsOwn) {
  constexpr int kBytes = 16;  // a few words, each split, refined and joined over and over
  in_threads([&](int t) {
    for (int i = 0; i != kRounds; ++i) {
      for (int byte = t; byte < kBytes; byte += kThreads) this->add_one(kBase + byte, 1);
      this->add_one(kBase + 1, 6);
    }
  });
  std::vector<std::uint64_t> expected(kBytes, kRounds);
  for (int byte = 1; byte != 7; ++byte) expected[byte] += std::uint64_t{kThreads} * kRounds;
  EXPECT_EQ(this->values(kBase, kBytes), expected);
}

TYPED_TEST(ConcurrentShadowTest, ForgettingOneRangeLeavesItsNeighbours) {
  constexpr std::size_t kOwn = 100'003;  // no multiple of a word, and large enough for pages to go back
  in_threads([&](int t) {
    const std::uintptr_t own = kBase + t * kOwn;
    for (int i = 0; i != kRounds / 500; ++i) {
      this->add_one(own, kOwn);
      for (int byte = 0; byte != 200; ++byte) this->add_one(own + byte * 331, 1);
      if (i % 2 == 0) {
        this->shadow_.forget(own, kOwn);
      } else {
        this->shadow_.release(own, kOwn);
      }
      this->add_one(own, 1);
      this->add_one(own + kOwn - 1, 1);
      const std::vector<std::uint64_t> now = this->values(own, kOwn);
      ASSERT_EQ(now.front(), 1U);
      ASSERT_EQ(now.back(), 1U);
      for (std::size_t byte = 1; byte != kOwn - 1; ++byte) ASSERT_EQ(now[byte], 0U);
      this->shadow_.forget(own, kOwn);
    }
  });
  EXPECT_EQ(this->shadow_.statistics().split_words, 0U);
}

TYPED_TEST(ConcurrentShadowTest, SurvivesThatMemoryIsForgottenWhileItIsUsed) {
  if (ANYORDER_TSAN && sizeof(typename TypeParam::Cell) > sizeof(std::uint64_t)) {
    GTEST_SKIP()
        << "Here the rest of a cell may come from another access than its head, as the contract says.";
  }
  constexpr std::size_t kShared = 80'000;
  std::atomic<bool> done = false;
  std::atomic<int> accesses = 0;
  in_threads([&](int t) {
    if (t == 0) {
      while (accesses < 10 * kRounds) this->shadow_.release(kBase, kShared);
      done = true;
      return;
    }
    // Blocks of the words that are forgotten are free for these, which belong to this thread alone.
    const std::uintptr_t own = kBase + (std::uintptr_t{1} << 20U) * t;
    std::vector<std::uint64_t> expected(100);
    for (std::size_t i = 0; !done; ++i) {
      this->add_one(kBase + (i * 7919 + t) % kShared, 1 + i % 3, true);
      this->add_one(own + i * 31 % expected.size(), 1);
      ++expected[i * 31 % expected.size()];
      ++accesses;
    }
    EXPECT_EQ(this->values(own, expected.size()), expected);
  });
}

TEST(ConcurrentShadow, AWordThatIsNotSplitNeedsNoLock) {
  using Policy = SmallPolicy<8>;
  using Cell = Policy::Cell;
  ConcurrentShadow<Policy, kBits> shadow{std::span<const AddressRange>()};
  const auto add = [&](Cell& cell, std::uintptr_t, std::size_t) { ++cell.value; };
  in_threads([&](int t) {
    for (int i = 0; i != kRounds; ++i) {
      const std::uint64_t head = shadow.head(kBase);
      const bool plain = head != Policy::kLocked && !Policy::is_split(head);
      if (!plain || !shadow.replace(kBase, {head}, {head + 1})) shadow.for_each_piece(kBase, 8, add);
      if (t == 0) shadow.for_each_piece(kBase + 2, 2, add);
    }
  });
  std::array<std::uint64_t, 8> values{};
  shadow.for_each_piece(kBase, 8, [&](Cell& cell, std::uintptr_t at, std::size_t bytes) {
    std::fill_n(values.begin() + (at - kBase), bytes, cell.value);
  });
  for (int byte = 0; byte != 8; ++byte) {
    EXPECT_EQ(values[byte], (byte == 2 || byte == 3 ? kThreads + 1 : kThreads) * std::uint64_t{kRounds})
        << byte;
  }
}

}  // namespace
}  // namespace anyorder::shadow
