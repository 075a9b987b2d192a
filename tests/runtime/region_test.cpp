// region: posts, handlers, waits for all and for one, on every executor.
#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "counted.hpp"
#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Region);

TEST_P(Region, AwaitCallsHandlersInTheOrderOfThePosts) {
  std::vector<int> seen;
  ao::finish([&] {
    ao::region r;
    for (int i = 0; i != 50; ++i) r.post([i] { return i; }, [&](int value) { seen.push_back(value); });
    r.await();
    EXPECT_EQ(seen.size(), 50U);
    EXPECT_FALSE(r.await_one());
    r.await();
  });
  std::vector<int> wanted(50);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(seen, wanted);
}

TEST_P(Region, AwaitOneTakesEachTaskOnce) {
  std::multiset<int> seen;
  ao::region r;
  EXPECT_FALSE(r.await_one());
  for (int i = 0; i != 200; ++i) {
    r.post([i] { return i; }, [&](int value) { seen.insert(value); });
    if (i % 7 == 6) {
      const std::size_t before = seen.size();
      EXPECT_TRUE(r.await_one());
      EXPECT_EQ(seen.size(), before + 1);
    }
  }
  while (r.await_one()) {
  }
  EXPECT_EQ(seen.size(), 200U);
  EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), 200U);
}

TEST_P(Region, TasksMayReturnNothingReferencesAndWhatCanOnlyBeMoved) {
  ao::region r;
  int done = 0;
  int variable = 1;
  std::unique_ptr<int> moved;
  r.post([] {}, [&] { ++done; });
  r.post([] {});
  r.post([&]() -> int& { return variable; }, [&](int& it) { it = 2; });
  r.post([] { return std::make_unique<int>(3); },
         [&](std::unique_ptr<int> value) { moved = std::move(value); });
  r.post([] { return 4; });  // nobody wants it
  r.post([once = std::make_unique<int>(5)] { return *once; },
         [&done, once = std::make_unique<int>(6)](int value) { done += value + *once; });
  r.await();
  EXPECT_EQ(done, 12);
  EXPECT_EQ(variable, 2);
  ASSERT_NE(moved, nullptr);
  EXPECT_EQ(*moved, 3);
}

TEST_P(Region, HandlersMayPostAndWait) {
  ao::region r;
  int sum = 0;
  r.post([] { return 1; },
         [&](int value) {
           sum += value;
           r.post([] { return 10; }, [&](int more) { sum += more; });
           ao::finish([&] { ao::async([&] { sum += 100; }); });
         });
  r.await();
  EXPECT_EQ(sum, 111);
}

TEST_P(Region, WhatATaskHasNotAwaitedIsHandedOverToItsParent) {
  ao::region r;
  std::vector<int> seen;
  const auto note = [&](int value) { seen.push_back(value); };
  r.post(
      [&r, note] {
        r.post([] { return 2; }, note);
        r.post(
            [&r, note] {
              r.post([] { return 4; }, note);
              return 3;
            },
            note);
        return 0;
      },
      note);
  r.post([] { return 1; }, note);
  r.await();
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_P(Region, EachTaskAwaitsItsOwnPosts) {
  ao::region r;
  std::vector<int> inner;
  int outer = 0;
  r.post(
      [&] {
        r.post([] { return 1; }, [&](int value) { inner.push_back(value); });
        r.post([] { return 2; }, [&](int value) { inner.push_back(value); });
        r.await();
        EXPECT_EQ(inner, (std::vector<int>{1, 2}));
        r.post([] { return 3; }, [&](int value) { outer += value; });
        return 10;
      },
      [&](int value) { outer += value; });
  r.await();
  EXPECT_EQ(outer, 13);
}

TEST_P(Region, AwaitOneJoinsWhatWasHandedOver) {
  ao::region r;
  int sum = 0;
  const auto add = [&](int value) { sum += value; };
  r.post(
      [&r, add] {
        r.post([] { return 10; }, add);
        return 1;
      },
      add);
  EXPECT_TRUE(r.await_one());
  EXPECT_EQ(sum, 1);
  EXPECT_TRUE(r.await_one());
  EXPECT_EQ(sum, 11);
  EXPECT_FALSE(r.await_one());
}

TEST_P(Region, AwaitThrowsTheFirstExceptionAfterAllElse) {
  int handled = 0;
  std::string what;
  ao::finish([&] {
    ao::region r;
    const auto count = [&](int) { ++handled; };
    r.post([] { return 1; }, count);
    r.post([]() -> int { throw std::runtime_error("first"); }, count);
    r.post([]() -> int { throw std::runtime_error("second"); }, count);
    r.post([] { return 1; }, [&](int) { throw std::runtime_error("a handler's"); });
    r.post([] { return 1; }, count);
    try {
      r.await();
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
  });
  EXPECT_EQ(handled, 2);
  EXPECT_EQ(what, "first");  // and the finish has nothing left to throw
}

TEST_P(Region, AwaitOneThrowsTheExceptionOfTheTaskItTakes) {
  ao::region r;
  r.post([] { throw std::runtime_error("failed"); });
  EXPECT_THROW(r.await_one(), std::runtime_error);
  EXPECT_FALSE(r.await_one());
}

TEST_P(Region, ItsEndAwaitsWhatIsLeft) {
  int handled = 0;
  {
    ao::region r;
    for (int i = 0; i != 10; ++i) r.post([] { return 1; }, [&](int value) { handled += value; });
  }
  EXPECT_EQ(handled, 10);
  EXPECT_THROW(
      {
        ao::region r;
        r.post([] { throw std::runtime_error("failed"); });
      },
      std::runtime_error);
}

TEST_P(Region, AnExceptionOnItsWayCallsNoHandler) {
  bool ran = false;
  bool handled = false;
  const auto kept = std::make_shared<int>(1);
  EXPECT_THROW(
      {
        ao::region r;
        r.post([&] { ran = true; }, [&, kept] { handled = true; });
        throw std::logic_error("the body's");
      },
      std::logic_error);
  EXPECT_TRUE(ran);
  EXPECT_FALSE(handled);
  EXPECT_EQ(kept.use_count(), 1);
  std::string what;
  try {
    ao::finish([] {
      try {
        ao::region r;
        r.post([] { throw std::runtime_error("the task's"); });
        throw std::logic_error("the body's");
      } catch (const std::logic_error&) {
      }
    });
  } catch (const std::runtime_error& error) {
    what = error.what();
  }
  EXPECT_EQ(what, "the task's");
}

TEST_P(Region, IsForItsMakerAndItsTasksOnly) {
  ao::region r;
  ao::finish([&] {
    ao::async([&] {
      EXPECT_THROW(r.post([] {}), ao::usage_error);
      EXPECT_THROW(r.await(), ao::usage_error);
      EXPECT_THROW(r.await_one(), ao::usage_error);
    });
  });
  ao::region other;
  other.post([&] { EXPECT_THROW(r.post([] {}), ao::usage_error); });
  other.await();
  ao::isolated([&] {
    EXPECT_THROW(r.post([] {}), ao::usage_error);
    EXPECT_THROW(r.await(), ao::usage_error);
    EXPECT_THROW(r.await_one(), ao::usage_error);
  });
  constexpr int kLine = __LINE__ + 2;
  try {
    ao::finish([&] { ao::async([&] { r.await(); }); });
    FAIL();
  } catch (const ao::usage_error& error) {
    EXPECT_NE(std::string(error.what()).find("region_test.cpp:" + std::to_string(kLine)), std::string::npos)
        << error.what();
  }
}

int fib(int n) {
  if (n < 2) return n;
  int sum = 0;
  ao::region r;
  const auto add = [&](int value) { sum += value; };
  r.post([n] { return fib(n - 1); }, add);
  r.post([n] { return fib(n - 2); }, add);
  while (r.await_one()) {
  }
  return sum;
}

TEST_P(Region, Nests) { EXPECT_EQ(fib(16), 987); }

TEST_P(Region, ManyTasks) {
  constexpr int kTasks = 50'000 / kFewer;
  ao::region r;
  std::uint64_t sum = 0;
  for (int i = 0; i != kTasks; ++i) {
    r.post([i] { return static_cast<std::uint64_t>(i); }, [&](std::uint64_t value) { sum += value; });
  }
  for (int i = 0; i != kTasks / 2; ++i) r.await_one();
  r.await();
  EXPECT_EQ(sum, std::uint64_t{kTasks} * (kTasks - 1) / 2);
}

TEST_P(Region, ResultsAndHandlersAreDestroyed) {
  std::atomic<int> alive{0};
  ao::finish([&] {
    ao::region r;
    for (int i = 0; i != 100; ++i) {
      r.post([&alive, kept = Counted(alive)] { return Counted(alive); },
             [kept = Counted(alive)](Counted&& /*value*/) {});
    }
    r.await_one();
  });
  EXPECT_EQ(alive, 0);
}

ANYORDER_ON_EXECUTORS(RegionInParallel, kParallel2, kParallel8, kKnown2, kCycle8);

// One task waits for the end of its parent, which can come because await_one has another to take: it must not
// run on the parent's stack. The region cannot end.
TEST_P(RegionInParallel, AwaitOneNeedsNoParticularTask) {
  static auto& never_ending = *new std::vector<ao::region*>;
  for (int round = 0; round != 20; ++round) {
    ao::future<void> parent;
    ao::finish([&] {
      const auto end_of_parent = [&parent] {
        for (;;) {
          const ao::future<void> handle = ao::isolated([&] { return parent; });
          if (handle.valid()) return handle.get();
          std::this_thread::yield();
        }
      };
      ao::future<void> made = ao::async_future([end_of_parent] {
        auto* const r = new ao::region;
        ao::isolated([&] { never_ending.push_back(r); });
        r->post([] {});
        r->post(end_of_parent);
        r->await_one();
      });
      ao::isolated([&] { parent = made; });
      made.get();
    });
  }
}

ANYORDER_ON_EXECUTORS(RegionUnderAJoinPolicy, kKnown2, kCycle8);

// A task waits for its parent, which awaits it: the get ends, not the await.
TEST_P(RegionUnderAJoinPolicy, ACycleEndsByTheGet) {
  for (int round = 0; round != 20; ++round) {
    std::atomic<int> ended_gets{0};
    ao::future<void> parent;
    ao::finish([&] {
      const ao::future<void> made = ao::async_future([&] {
        ao::region r;
        r.post([&] {
          ao::future<void> handle;
          while (!handle.valid()) ao::isolated([&] { handle = parent; });
          try {
            handle.get();
          } catch (const ao::deadlock_error&) {
            ++ended_gets;
          }
        });
        r.await();
      });
      ao::isolated([&] { parent = made; });
      made.get();
    });
    EXPECT_EQ(ended_gets, 1);
  }
}

// Tasks that end while their owner is about to stand, from several threads.
TEST_P(RegionInParallel, NoEndIsMissed) {
  for (int round = 0; round != 2000 / kFewer; ++round) {
    ao::region r;
    int ended = 0;
    for (int i = 0; i != 3; ++i) {
      r.post(
          [&r, i] {
            if (i == 0) r.post([] { return 1; });
            return 1;
          },
          [&](int) { ++ended; });
    }
    while (r.await_one()) {
    }
    EXPECT_EQ(ended, 3);
  }
}

}  // namespace
