// forasync and forall: each index once, whatever the range and whatever the bodies do.

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include "counted.hpp"
#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Loops);

// The indexes that a loop has run, in increasing order.
template <class Begin, class End>
auto indexes_of(Begin begin, End end) {
  using Index = std::common_type_t<Begin, End>;
  std::mutex mutex;
  std::vector<Index> seen;
  ao::forall(begin, end, [&](auto i) {
    const std::lock_guard lock(mutex);
    seen.push_back(static_cast<Index>(i));
  });
  std::sort(seen.begin(), seen.end());
  return seen;
}

TEST_P(Loops, RunEachIndexOfAnySmallRangeOnce) {
  std::vector<int> runs(1000);
  for (int n = 0; n <= 1000; ++n) {
    std::fill(runs.begin(), runs.end(), 0);
    ao::forall(0, n, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
    for (int i = 0; i != 1000; ++i) ASSERT_EQ(runs[static_cast<std::size_t>(i)], i < n ? 1 : 0) << n;
  }
}

TEST_P(Loops, RunAMillionIndexesOnce) {
  std::vector<unsigned char> runs(1'000'000);
  ao::forall(std::size_t{0}, runs.size(), [&](std::size_t i) { ++runs[i]; });
  EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](unsigned char n) { return n == 1; }));
}

TEST_P(Loops, TakeIndexesOfAnyType) {
  EXPECT_EQ(indexes_of(-2, 3), (std::vector<int>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(indexes_of(0U, 3U), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(indexes_of(0, std::size_t{3}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(indexes_of(std::size_t{1}, 3), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(indexes_of(-1, std::int64_t{2}), (std::vector<std::int64_t>{-1, 0, 1}));
  EXPECT_EQ(indexes_of(short{-1}, short{2}), (std::vector<short>{-1, 0, 1}));
  EXPECT_EQ(indexes_of('a', 'd'), (std::vector<char>{'a', 'b', 'c'}));
  EXPECT_EQ(indexes_of(std::uint8_t{250}, std::uint8_t{255}),
            (std::vector<std::uint8_t>{250, 251, 252, 253, 254}));
  EXPECT_EQ(indexes_of(std::int8_t{-128}, 127).size(), 255U);
}

TEST_P(Loops, ReachTheEndsOfTheTypes) {
  EXPECT_EQ(indexes_of(INT_MIN, INT_MIN + 3), (std::vector<int>{INT_MIN, INT_MIN + 1, INT_MIN + 2}));
  EXPECT_EQ(indexes_of(INT_MAX - 3, INT_MAX), (std::vector<int>{INT_MAX - 3, INT_MAX - 2, INT_MAX - 1}));
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(indexes_of(kMost - 3, kMost), (std::vector<std::uint64_t>{kMost - 3, kMost - 2, kMost - 1}));
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(indexes_of(kLeast, kLeast + 2), (std::vector<std::int64_t>{kLeast, kLeast + 1}));
}

TEST_P(Loops, OfEmptyAndReversedRangesDoNothing) {
  const auto fail = [](auto /*i*/) { ADD_FAILURE(); };
  ao::forall(0, 0, fail);
  ao::forall(5, 5, fail);
  ao::forall(3, -3, fail);
  ao::forall(3U, 1U, fail);
  ao::forall(3U, -1, fail);
  ao::forall(std::size_t{1}, 0, fail);
  ao::forall(INT_MAX, INT_MIN, fail);
}

TEST_P(Loops, WithANegativeBeginAndAnUnsignedEndAreRefused) {
  const auto fail = [](auto /*i*/) { ADD_FAILURE(); };
  const std::string here = __FILE__ ":";
  try {
    ao::forall(-1, std::size_t{3}, fail);
    ADD_FAILURE();
  } catch (const ao::usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find(here + std::to_string(__LINE__ - 3)), 0U) << e.what();
  }
  EXPECT_THROW(ao::finish([&] { ao::forasync(-1, 0U, fail); }), ao::usage_error);
}

// The whole range of int, and of size_t. The compiler takes the empty body's loop away, so that only the
// number of chunks counts; without optimization there is nothing to try, nor with knowledge of joins, for
// which each index is looked at.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__)
TEST_P(Loops, OverAWholeTypeComeToAnEnd) {
  if (GetParam().options.joins == ao::join_policy::known) GTEST_SKIP();
  EXPECT_EXIT(
      {
        alarm(60);
        ao::forall(INT_MIN, INT_MAX, [](int /*i*/) {});
        ao::forall(0U, UINT_MAX, [](unsigned /*i*/) {});
        ao::forall(std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(), [](std::uint64_t /*i*/) {});
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}
#endif

TEST_P(Loops, Nest) {
  std::vector<unsigned char> runs(200 * 300);
  ao::forall(0, 200, [&](int i) {
    ao::forall(0, 300, [&, i](int k) { ++runs[static_cast<std::size_t>(i * 300 + k)]; });
  });
  EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](unsigned char n) { return n == 1; }));
}

TEST_P(Loops, AreJoinedByTheEnclosingFinish) {
  std::atomic<int> sum{0};
  ao::finish([&] {
    ao::forasync(0, 1000, [&](int i) {
      ao::forasync(0, 3, [&](int /*k*/) { ++sum; });
      if (i % 100 == 0) ao::async([&] { ao::forasync(0, 10, [&](int /*k*/) { ++sum; }); });
    });
    ao::forasync(0, 1000, [&](int /*i*/) { ++sum; });
  });
  EXPECT_EQ(sum, 3000 + 100 + 1000);
}

TEST_P(Loops, MayWaitInTheirBodies) {
  for (int round = 0; round != 5; ++round) {
    std::vector<int> runs(2000, 0);
    std::atomic<int> sum{0};
    ao::finish([&] {
      const auto slow = ao::async_future([] {
        for (int i = 0; i != 50; ++i) std::this_thread::yield();
        return 1;
      });
      ao::forasync(0, 2000, [&, slow](int i) {
        sum += slow.get();
        ++runs[static_cast<std::size_t>(i)];
      });
    });
    ASSERT_EQ(sum, 2000);
    for (int n : runs) ASSERT_EQ(n, 1);
  }
}

TEST_P(Loops, MayCreateAndGetFuturesInTheirBodies) {
  std::vector<long> result(3000);
  ao::forall(std::size_t{0}, result.size(), [&](std::size_t i) {
    const auto a = ao::async_future([i] { return static_cast<long>(i); });
    const auto b = ao::async_future([a] { return a.get() + 1; });
    ao::finish([&] { ao::async([&] { result[i] = b.get() + a.get(); }); });
  });
  for (std::size_t i = 0; i != result.size(); ++i) ASSERT_EQ(result[i], static_cast<long>(2 * i + 1));
}

// Nested loops whose inner indexes wait: what each piece has not begun is given away at each wait.
TEST_P(Loops, LoseNoIndexWhenNestedBodiesWait) {
  for (int round = 0; round != 5; ++round) {
    std::vector<unsigned char> runs(60 * 40);
    ao::finish([&] {
      std::vector<ao::future<int>> gates;
      for (int g = 0; g != 7; ++g) {
        gates.push_back(ao::async_future([g] {
          for (int i = 0; i != g * 5; ++i) std::this_thread::yield();
          return g;
        }));
      }
      ao::forasync(0, 60, [&runs, gates](int i) {
        ao::forall(0, 40, [&runs, &gates, i](int k) {
          EXPECT_EQ(gates[static_cast<std::size_t>((i + k) % 7)].get(), (i + k) % 7);
          ++runs[static_cast<std::size_t>(i * 40 + k)];
        });
      });
    });
    ASSERT_TRUE(std::all_of(runs.begin(), runs.end(), [](unsigned char n) { return n == 1; }));
  }
}

TEST_P(Loops, ShareOneCopyOfTheBodyAndDestroyIt) {
  std::atomic<int> alive{0};
  std::atomic<int> most{0};
  const Counted outside(alive);
  ao::finish([&] {
    ao::forasync(0, 1000, [&alive, &most, c = outside](int /*i*/) {
      const int now = alive;
      if (now > most) most = now;
    });
  });
  EXPECT_EQ(alive, 1);
  EXPECT_LE(most, 2 + 3) << "outside, the one copy, and those that the call itself is made of";
}

TEST_P(Loops, TakeAMoveOnlyBody) {
  std::atomic<int> sum{0};
  ao::forall(0, 100, [&sum, p = std::make_unique<int>(2)](int /*i*/) { sum += *p; });
  EXPECT_EQ(sum, 200);
}

TEST_P(Loops, AlignTheirBody) {
  struct alignas(128) Wide {
    int value = 1;
  };
  std::atomic<int> right{0};
  ao::forall(0, 100, [&right, wide = Wide{}](int /*i*/) {
    right += reinterpret_cast<std::uintptr_t>(&wide) % 128 == 0 ? wide.value : 0;
  });
  EXPECT_EQ(right, 100);
}

}  // namespace
