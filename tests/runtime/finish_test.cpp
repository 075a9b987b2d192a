// finish: what it returns, and what it waits for.

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "counted.hpp"
#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Finish);

int seven() { return 7; }

struct NoDefault {
  explicit NoDefault(int v) : value(v) {}
  int value;
};

TEST_P(Finish, ReturnsWhatItsBodyReturns) {
  EXPECT_EQ(ao::finish([] { return 42; }), 42);
  EXPECT_EQ(ao::finish([] { return std::string(1000, 'x'); }), std::string(1000, 'x'));
  EXPECT_EQ(ao::finish(&seven), 7);
  EXPECT_EQ(ao::finish(seven), 7);
  EXPECT_EQ(ao::finish([] { return NoDefault(3); }).value, 3);
}

TEST_P(Finish, ReturnsMoveOnlyValues) {
  const std::unique_ptr<int> p = ao::finish([] {
    ao::async([] {});
    return std::make_unique<int>(5);
  });
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(*p, 5);
}

TEST_P(Finish, ReturnsReferencesToTheSameObject) {
  int x = 1;
  static_assert(std::is_same_v<decltype(ao::finish([&]() -> int& { return x; })), int&>);
  static_assert(std::is_same_v<decltype(ao::finish([&]() -> const int& { return x; })), const int&>);
  static_assert(std::is_same_v<decltype(ao::finish([&]() -> int&& { return std::move(x); })), int&&>);
  static_assert(std::is_same_v<decltype(ao::finish([] {})), void>);
  int& r = ao::finish([&]() -> int& {
    ao::async([&] { x = 2; });
    return x;
  });
  EXPECT_EQ(&r, &x);
  EXPECT_EQ(r, 2);
  int&& rr = ao::finish([&]() -> int&& { return std::move(x); });
  EXPECT_EQ(&rr, &x);
}

TEST_P(Finish, OfNothingEndsAtOnce) {
  ao::finish([] {});
  ao::finish([] { ao::finish([] { ao::finish([] {}); }); });
}

TEST_P(Finish, WaitsForAllItsTasks) {
  std::vector<int> done(1000, 0);
  ao::finish([&] {
    for (std::size_t i = 0; i != done.size(); ++i) ao::async([&done, i] { done[i] = 1; });
  });
  EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 1000);
}

TEST_P(Finish, WaitsForTasksOfTasks) {
  std::atomic<int> leaves{0};
  const std::function<void(int)> tree = [&](int depth) {
    if (depth == 0) {
      ++leaves;
      return;
    }
    ao::async([&tree, depth] { tree(depth - 1); });
    ao::async([&tree, depth] { tree(depth - 1); });
  };
  ao::finish([&] { tree(12); });
  EXPECT_EQ(leaves, 1 << 12);
}

// The tasks in between have ended long before the ones that they created.
TEST_P(Finish, WaitsForWhatEscapesThroughSeveralTasks) {
  std::atomic<int> steps{0};
  const std::function<void(int)> chain = [&](int left) {
    ++steps;
    if (left != 0) ao::async([&chain, left] { chain(left - 1); });
  };
  ao::finish([&] {
    for (int i = 0; i != 20; ++i) ao::async([&] { chain(100); });
  });
  EXPECT_EQ(steps, 20 * 101);
}

TEST_P(Finish, OfAnInnerScopeLeavesTheOuterOnesTasksAlone) {
  for (int round = 0; round != 200; ++round) {
    std::atomic<int> outer{0};
    std::atomic<int> inner{0};
    int inner_seen = -1;
    ao::finish([&] {
      for (int i = 0; i != 10; ++i) ao::async([&] { ++outer; });
      ao::finish([&] {
        for (int i = 0; i != 10; ++i) ao::async([&] { ++inner; });
      });
      inner_seen = inner;
      for (int i = 0; i != 10; ++i) ao::async([&] { ++outer; });
    });
    ASSERT_EQ(inner_seen, 10);
    ASSERT_EQ(outer, 20);
  }
}

TEST_P(Finish, NestsInsideTasks) {
  const std::function<long(int)> fib = [&](int n) -> long {
    if (n < 2) return n;
    long a = 0;
    long b = 0;
    ao::finish([&] {
      ao::async([&, n] { a = fib(n - 1); });
      ao::async([&, n] { b = fib(n - 2); });
    });
    return a + b;
  };
  EXPECT_EQ(fib(18), 2584);
}

TEST_P(Finish, NestsDeeply) {
  int depth_reached = 0;
  const std::function<void(int)> nest = [&](int left) {
    ++depth_reached;
    if (left == 0) return;
    ao::finish([&] { ao::async([&, left] { nest(left - 1); }); });
  };
  nest(kDeep / 20);
  EXPECT_EQ(depth_reached, kDeep / 20 + 1);
}

TEST_P(Finish, DestroysClosuresAndResultsBeforeItReturns) {
  std::atomic<int> alive{0};
  for (int round = 0; round != 100; ++round) {
    ao::finish([&] {
      for (int i = 0; i != 20; ++i) {
        ao::async([c = Counted(alive)] {});
        static_cast<void>(ao::async_future([&alive, c = Counted(alive)] { return Counted(alive); }));
      }
    });
    ASSERT_EQ(alive, 0) << "in round " << round;
  }
}

TEST_P(Finish, CallsItsBodyOnceAndByForwarding) {
  struct Body {
    std::array<int, 3> calls{};
    void operator()() & { ++calls[0]; }
    void operator()() const& { FAIL(); }
    void operator()() && { ++calls[1]; }
  };
  Body body;
  ao::finish(body);
  EXPECT_EQ(body.calls, (std::array<int, 3>{1, 0, 0}));
  ao::finish(std::move(body));
  EXPECT_EQ(body.calls, (std::array<int, 3>{1, 1, 0}));  // NOLINT(bugprone-use-after-move)
}

}  // namespace
