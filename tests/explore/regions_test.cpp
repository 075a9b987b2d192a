// Regions under ao::explore: each choice of await_one is one to explore, and nothing else of a region is.
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>
#include <anyorder/explore.hpp>

#include "extent.hpp"

namespace ao = anyorder;

int of_region = 0;  // what nobody could read, the compiler would not write

namespace {

using explore_tests::expect;
using explore_tests::Extent;
using explore_tests::extent;
using verdict = ao::exploration::verdict;

// n tasks that are taken one by one: each sequence of some of them, until one is left, which is no choice.
Extent one_by_one(unsigned n) {
  std::uint64_t states = 0;
  std::uint64_t choices = 0;
  std::uint64_t sequences = 1;
  for (unsigned left = n; left > 1; --left) {
    states += sequences;
    sequences *= left;
    choices += sequences;
  }
  return extent(states, choices);
}

// Figure 1 (a) of the paper.
TEST(ExploreRegions, FigureOne) {
  const auto result = expect(verdict::race, {2, 4}, [] {
    of_region = 0;
    ao::region r;
    r.post([] {
      ao::isolated([] {});
      of_region = 2;
      return 0;
    });
    ao::isolated([] { of_region = 1; });
    r.await();
  });
  EXPECT_EQ(result.schedule, "1");
}

TEST(ExploreRegions, AwaitIsNoChoice) {
  expect(verdict::proved, {1, 1}, [] {
    std::vector<int> parts(8);
    int sum = 0;
    ao::region r;
    for (std::size_t i = 0; i != parts.size(); ++i) {
      r.post([&parts, i] { return parts[i] = static_cast<int>(i); },
             [&](int value) { sum = 2 * sum + value; });
    }
    r.await();
    of_region = sum + parts[7];
  });
}

TEST(ExploreRegions, OneOfSeveral) {
  for (int n = 2; n != 6; ++n) {
    expect(verdict::proved, extent(1, static_cast<unsigned>(n)), [n] {
      int taken = 0;
      ao::region r;
      for (int i = 0; i != n; ++i) r.post([i] { return i; }, [&](int value) { taken = value; });
      r.await_one();
      of_region = taken;
      r.await();
    });
  }
}

TEST(ExploreRegions, OneByOne) {
  for (int n = 1; n != 5; ++n) {
    const auto result = expect(verdict::proved, one_by_one(static_cast<unsigned>(n)), [n] {
      int sum = 0;
      ao::region r;
      for (int i = 0; i != n; ++i) r.post([i] { return i; }, [&](int value) { sum += value; });
      while (r.await_one()) {
      }
      of_region = sum;
    });
    EXPECT_EQ(result.text.find("choices of await_one") != std::string::npos, n > 1) << result.text;
  }
}

// The choice decides what the parent does, and only one of them races.
TEST(ExploreRegions, ARaceOfOneChoice) {
  const auto result = expect(verdict::race, {3, 2}, [] {
    int taken = 0;
    of_region = 0;
    ao::region r;
    for (int i = 0; i != 3; ++i) {
      r.post(
          [i] {
            if (i == 0) of_region = 1;
            return i;
          },
          [&](int value) { taken = value; });
    }
    r.await_one();
    if (taken == 2) of_region = 3;
    r.await();
  });
  EXPECT_EQ(result.schedule, "2");
  EXPECT_NE(result.text.find("takes task 3 (created at "), std::string::npos) << result.text;
}

// A task that ends only after a section is another choice, but not at once.
TEST(ExploreRegions, ATaskThatEndsLaterCanBeTaken) {
  // At first the section, or the first task; then the section, or any of the two tasks.
  const auto result = expect(verdict::race, extent(3, 5), [] {
    of_region = 0;
    ao::region r;
    r.post([] { of_region = 1; });
    r.post([] { ao::isolated([] {}); });
    r.await_one();
    of_region = 2;
    r.await();
  });
  EXPECT_NE(result.text.find("takes task 2"), std::string::npos) << result.text;
}

// The delayed edges of the paper give a false alarm here: the only task there is has been awaited.
TEST(ExploreRegions, WhatItLeavesDoesNotDelayWhatATaskHasDone) {
  expect(verdict::proved, {1, 1}, [] {
    of_region = 0;
    int seen = 0;
    ao::region r;
    r.post([&] {
      r.post([] {});
      seen = of_region;
    });
    r.await_one();
    of_region = 2;
    r.await();
  });
}

TEST(ExploreRegions, WhatIsHandedOverCanBeTaken) {
  expect(verdict::race, {1, 2}, [] {
    of_region = 0;
    ao::region r;
    r.post([&] { r.post([] { of_region = 1; }); });
    r.post([] {});
    r.await_one();
    r.await_one();
    of_region = 2;
    r.await();
  });
}

TEST(ExploreRegions, ExceptionsOfATaskAndOfAHandler) {
  expect(verdict::proved, {4, 2}, [] {
    int caught = 0;
    ao::finish([&] {
      ao::region r;
      r.post([]() -> int { throw std::runtime_error("a task's"); }, [](int) {});
      r.post([] { return 1; }, [](int) { throw std::runtime_error("a handler's"); });
      r.post([] { return 1; }, [](int) {});
      r.post([] { return 1; }, [](int) {});
      try {
        r.await_one();
      } catch (const std::runtime_error&) {
        ++caught;
      }
      try {
        r.await();
      } catch (const std::runtime_error&) {
        ++caught;
      }
    });
    of_region = caught;
  });
}

// Who would end it waits for the parent.
TEST(ExploreRegions, ADeadlockOfAwaitOne) {
  expect(verdict::deadlock, {1, 2}, [] {
    static ao::future<void> parent;
    ao::finish([] {
      const ao::future<void> handle = ao::async_future([] {
        ao::future<void> self;
        ao::isolated([&] { self = parent; });
        ao::region r;
        r.post([self] { self.get(); });
        r.post([self] { self.get(); });
        r.await_one();
      });
      ao::isolated([&] { parent = handle; });
    });
  });
}

}  // namespace
