// ao::explore in its own process, on real code: verdicts, the exact number of orders and states, and replays.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>
#include <anyorder/explore.hpp>

namespace ao = anyorder;
using verdict = ao::exploration::verdict;

int g = 0;  // what nobody could read, the compiler would not write

namespace {

TEST(Explore, FigureOne) {
  const auto program = [] {
    g = 0;
    ao::finish([] {
      ao::async([] {
        ao::isolated([] {});
        g = 2;
      });
      ao::isolated([] { g = 1; });
    });
  };
  const ao::exploration result = ao::explore(program);
  EXPECT_EQ(result.answer, verdict::race) << result.text;
  const ao::exploration again = ao::replay(result.schedule, program);
  EXPECT_EQ(again.answer, verdict::race) << again.text;
  std::cout << result.text;
}

TEST(Explore, CounterOfTenTasks) {
  int counter = 0;
  const ao::exploration result = ao::explore([&] {
    counter = 0;
    ao::forall(0, 10, [&](int) { ao::isolated([&] { ++counter; }); });
  });
  EXPECT_TRUE(result.proved()) << result.text;
  EXPECT_EQ(result.states, 1024U);
  EXPECT_EQ(result.orders, 4098U);
  std::cout << result.text;
}

}  // namespace
