// WorkDeque against a model, and with thieves.

#include "support/work_deque.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

namespace anyorder::support {
namespace {

constexpr auto kAny = [](std::uint64_t /*item*/) { return true; };

TEST(WorkDeque, IsEmptyAtFirst) {
  WorkDeque<std::uint64_t> deque;
  EXPECT_TRUE(deque.empty());
  EXPECT_EQ(deque.pop(), 0U);
  EXPECT_EQ(deque.last(), 0U);
  EXPECT_EQ(deque.steal_if(kAny), 0U);
  EXPECT_FALSE(deque.would_steal(kAny));
}

TEST(WorkDeque, PopsTheNewestAndStealsTheOldest) {
  WorkDeque<std::uint64_t> deque;
  for (std::uint64_t i = 1; i <= 4; ++i) deque.push(i);
  EXPECT_EQ(deque.last(), 4U);
  EXPECT_EQ(deque.pop(), 4U);
  EXPECT_EQ(deque.steal_if(kAny), 1U);
  EXPECT_EQ(deque.pop(), 3U);
  EXPECT_EQ(deque.steal_if(kAny), 2U);
  EXPECT_TRUE(deque.empty());
}

TEST(WorkDeque, StealsOnlyWhatIsWanted) {
  WorkDeque<std::uint64_t> deque;
  deque.push(1);
  deque.push(2);
  const auto even = [](std::uint64_t item) { return item % 2 == 0; };
  EXPECT_FALSE(deque.would_steal(even)) << "2 is not the oldest";
  EXPECT_EQ(deque.steal_if(even), 0U);
  EXPECT_EQ(deque.steal_if(kAny), 1U);
  EXPECT_TRUE(deque.would_steal(even));
  EXPECT_EQ(deque.steal_if(even), 2U);
}

// Random operations, with phases that grow it over several rings and shrink it again.
TEST(WorkDeque, AgreesWithAModel) {
  std::mt19937 random(12345);
  WorkDeque<std::uint64_t> deque;
  std::deque<std::uint64_t> model;
  std::uint64_t next = 1;
  for (int phase = 0; phase != 12; ++phase) {
    const unsigned pushes = phase % 2 == 0 ? 70 : 30;  // in a hundred
    for (int i = 0; i != 5000; ++i) {
      if (random() % 100 < pushes) {
        deque.push(next);
        model.push_back(next++);
      } else if (random() % 2 == 0) {
        const std::uint64_t expected = model.empty() ? 0 : model.back();
        ASSERT_EQ(deque.last(), expected);
        ASSERT_EQ(deque.pop(), expected);
        if (!model.empty()) model.pop_back();
      } else {
        ASSERT_EQ(deque.would_steal(kAny), !model.empty());
        ASSERT_EQ(deque.steal_if(kAny), model.empty() ? 0 : model.front());
        if (!model.empty()) model.pop_front();
      }
      ASSERT_EQ(deque.empty(), model.empty());
    }
  }
}

TEST(WorkDeque, GivesEachItemToOneTaker) {
  constexpr std::uint64_t kItems = 100'000;
  constexpr int kThieves = 3;
  WorkDeque<std::uint64_t> deque;
  std::vector<std::atomic<int>> taken(kItems + 1);
  std::atomic<bool> over{false};
  std::vector<std::thread> thieves;
  for (int t = 0; t != kThieves; ++t) {
    thieves.emplace_back([&, t] {
      const auto wanted = [t](std::uint64_t item) { return t != 0 || item % 2 == 0; };
      while (!over) {
        const std::uint64_t item = deque.steal_if(wanted);
        if (item == 0) continue;
        if (!wanted(item)) ADD_FAILURE();
        ++taken[item];
      }
    });
  }
  std::mt19937 random(1);
  std::uint64_t next = 1;
  while (next <= kItems) {
    // Bursts long enough to outgrow the first rings, and pops down to the last item, which thieves want too.
    for (auto burst = random() % 2000; burst != 0 && next <= kItems; --burst) deque.push(next++);
    for (auto pops = random() % 2000; pops != 0; --pops) {
      if (const std::uint64_t item = deque.pop()) ++taken[item];
    }
    for (int i = 0; i != 50 && next <= kItems; ++i) {
      deque.push(next++);
      if (const std::uint64_t item = deque.pop()) ++taken[item];
    }
  }
  while (const std::uint64_t item = deque.pop()) ++taken[item];
  over = true;
  for (auto& thief : thieves) thief.join();
  EXPECT_TRUE(deque.empty());
  for (std::uint64_t i = 1; i <= kItems; ++i) ASSERT_EQ(taken[i], 1) << i;
}

}  // namespace
}  // namespace anyorder::support
