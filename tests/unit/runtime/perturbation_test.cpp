// Orders of tasks by a seed.
#include "runtime/perturbation.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace anyorder::runtime {
namespace {

using Order = std::vector<int>;
constexpr int kTasks = 8;

class Perturbation : public ::testing::Test {
 protected:
  void SetUp() override { configure({executor::parallel, 1, 0}); }
  void TearDown() override {
    set_perturbation(std::nullopt);
    configure({});
  }

  // In which one worker runs eight tasks of one finish.
  static Order order_of(std::optional<std::uint64_t> seed) {
    set_perturbation(seed);
    Order order;
    finish([&] {
      for (int i = 0; i != kTasks; ++i) async([&order, i] { order.push_back(i); });
    });
    return order;
  }
};

TEST_F(Perturbation, OffTheNewestTaskIsTaken) {
  Order newest_first(kTasks);
  std::iota(newest_first.rbegin(), newest_first.rend(), 0);
  EXPECT_EQ(order_of(std::nullopt), newest_first);
}

TEST_F(Perturbation, AnotherSeedIsAnotherOrder) {
  std::set<Order> orders;
  std::set<int> first;
  std::set<int> last;
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    const Order order = order_of(seed);
    Order sorted = order;
    std::sort(sorted.begin(), sorted.end());
    Order all(kTasks);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);  // each task once
    orders.insert(order);
    first.insert(order.front());
    last.insert(order.back());
  }
  EXPECT_GT(orders.size(), 100U);
  // Any of them may be the first, or the last.
  EXPECT_EQ(first.size(), std::size_t{kTasks});
  EXPECT_GE(last.size(), std::size_t{kTasks} - 2);
}

TEST_F(Perturbation, TheSameSeedIsTheSameOrder) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(order_of(seed), order_of(seed));
}

TEST_F(Perturbation, WaitersThatMeetOtherTasksTakeFewStacks) {
  set_perturbation(7);
  constexpr int kOuter = 100'000;
  std::atomic<int> inner{0};
  finish([&] {
    for (int i = 0; i != kOuter; ++i) async([&] { finish([&] { async([&] { ++inner; }); }); });
  });
  EXPECT_EQ(inner, kOuter);
}

TEST_F(Perturbation, GoesOffAgain) {
  EXPECT_NE(order_of(1), order_of(std::nullopt));
  EXPECT_EQ(order_of(std::nullopt).front(), kTasks - 1);
}

}  // namespace
}  // namespace anyorder::runtime
