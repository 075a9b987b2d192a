// ao::explore in its own process, on real code: verdicts, the exact number of orders and states, and replays.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <anyorder/anyorder.hpp>
#include <anyorder/explore.hpp>

#include "extent.hpp"

namespace ao = anyorder;
using verdict = ao::exploration::verdict;

int g = 0;  // what nobody could read, the compiler would not write
int h = 0;
char copied_from[64];
char copied_to[64];

namespace {

using explore_tests::expect;
using explore_tests::Extent;
using explore_tests::extent;

// Of n sections in conflict that leave the same behind in any order: each subset of them may have run.
Extent commuting(unsigned n) { return extent((1ULL << n) - 1, n * (1ULL << (n - 1))); }

// Of n sections whose order is seen afterwards: each sequence of some of them.
Extent visible(unsigned n) {
  std::uint64_t states = 0;
  std::uint64_t choices = 0;
  std::uint64_t sequences = 1;
  for (unsigned left = n; left != 0; --left) {
    states += sequences;
    sequences *= left;
    choices += sequences;
  }
  return extent(states, choices);
}

// Of n sections without conflict: any one order.
Extent independent(unsigned n) { return extent(n, n); }

void increment(int& counter) {
  ao::isolated([&] { ++counter; });
}

TEST(Explore, FigureOne) {
  constexpr int kLine = __LINE__ + 6;
  const auto result = expect(verdict::race, {2, 4}, [] {
    g = 0;
    ao::finish([] {
      ao::async([] {
        ao::isolated([] {});
        g = 2;  // kLine
      });
      ao::isolated([] { g = 1; });  // the parent's
    });
  });
  EXPECT_EQ(result.schedule, "1");
  EXPECT_NE(result.text.find("write-write"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("closures_test.cpp:" + std::to_string(kLine)), std::string::npos) << result.text;
}

TEST(Explore, FigureOneInTheOtherOrder) {
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
  EXPECT_TRUE(ao::replay("0", program).proved());
  EXPECT_EQ(g, 2);
}

TEST(Explore, NoSections) {
  int sum = 0;
  expect(verdict::proved, {1, 1}, [&] {
    std::vector<int> parts(8);
    ao::forall(0, 8, [&](int i) { parts[static_cast<std::size_t>(i)] = i; });
    sum = 0;
    for (const int part : parts) sum += part;
  });
  EXPECT_EQ(sum, 28);
}

TEST(Explore, ARaceWithoutSections) {
  expect(verdict::race, {1, 0}, [] {
    ao::finish([] {
      ao::async([] { g = 1; });
      g = 2;
    });
  });
}

TEST(Explore, CounterOfTenTasks) {
  int counter = 0;
  expect(verdict::proved, commuting(10), [&] {
    counter = 0;
    ao::forall(0, 10, [&](int) { increment(counter); });
  });
  EXPECT_EQ(counter, 10);
}

TEST(Explore, OwnBucketsHaveOneOrder) {
  expect(verdict::proved, independent(12), [] {
    std::vector<int> buckets(12);
    ao::forall(0, 12, [&](int i) { increment(buckets[static_cast<std::size_t>(i)]); });
  });
}

TEST(Explore, TheOrderOfAListIsVisible) {
  expect(verdict::proved, visible(4), [] {
    std::vector<int> list;
    list.reserve(4);
    ao::forall(0, 4, [&](int i) { ao::isolated([&] { list.push_back(i); }); });
  });
}

// Memory that tasks allocate has the same place in every order.
TEST(Explore, HeapMemory) {
  expect(verdict::proved, commuting(3), [] {
    int sum = 0;
    ao::forall(0, 3, [&](int i) {
      const auto own = std::make_unique<std::vector<int>>(10, i);
      ao::isolated([&] { sum += (*own)[3]; });
    });
  });
  expect(verdict::race, {1, 3}, [] {
    std::unique_ptr<int> shared;
    ao::finish([&] {
      ao::async([&] { ao::isolated([&] { shared = std::make_unique<int>(1); }); });
      ao::async([&] {
        int* seen = nullptr;
        ao::isolated([&] { seen = shared.get(); });
        if (seen != nullptr) *seen = 2;
        ao::isolated([] {});
      });
      ao::async([&] {
        int* seen = nullptr;
        ao::isolated([&] { seen = shared.get(); });
        if (seen != nullptr) *seen = 3;
      });
    });
  });
}

// Only one order of the sections leads to the branch with the race.
TEST(Explore, ControlFlowThatDependsOnTheOrder) {
  expect(verdict::race, {4, 8}, [] {
    int turn = 0;
    ao::finish([&] {
      ao::async([&] {
        int seen = 0;
        ao::isolated([&] {
          seen = turn;
          turn = 1;
        });
        if (seen == 2) g = 1;
      });
      ao::async([&] { ao::isolated([&] { turn = 2; }); });
      ao::async([&] {
        int seen = 0;
        ao::isolated([&] { seen = turn; });
        if (seen == 2) g = 2;
      });
    });
  });
}

TEST(Explore, AHandlePassedThroughASectionMayDeadlock) {
  const auto result = expect(verdict::deadlock, {1, 2}, [] {
    auto* const handle = new ao::future<void>;
    ao::finish([&] {
      ao::async([=] {
        ao::future<void> task = ao::async_future([=] {
          ao::future<void> waits_for;
          ao::isolated([&] { waits_for = *handle; });
          if (waits_for.valid()) waits_for.get();
        });
        ao::isolated([&] { *handle = task; });
      });
    });
    delete handle;
  });
  EXPECT_NE(result.text.find("waits at"), std::string::npos) << result.text;
}

TEST(Explore, SectionsOnObjects) {
  int a = 0;
  int b = 0;
  expect(verdict::proved, independent(2), [&] {
    ao::finish([&] {
      ao::async([&] { ao::isolated(&a, [&] { a = 1; }); });
      ao::async([&] { ao::isolated(&b, [&] { b = 1; }); });
    });
  });
  expect(verdict::race, {1, 2}, [&] {
    ao::finish([&] {
      ao::async([&] { ao::isolated(&a, [&] { g = 1; }); });
      ao::async([&] { ao::isolated(&b, [&] { g = 2; }); });
    });
  });
}

TEST(Explore, FuturesAndTheirResults) {
  int total = 0;
  expect(verdict::proved, commuting(2), [&] {
    int shared = 0;
    const ao::future<std::string> first = ao::async_future([&] {
      increment(shared);
      return std::string("a long enough string that it needs memory of its own");
    });
    const ao::future<std::size_t> second = ao::async_future([&, first] {
      increment(shared);
      return first.get().size();
    });
    total = static_cast<int>(second.get());
  });
  EXPECT_EQ(total, 52);
}

TEST(Explore, ExceptionsComeOut) {
  EXPECT_THROW(ao::explore([] { ao::finish([] { ao::async([] { throw std::runtime_error("task"); }); }); }),
               std::runtime_error);
  EXPECT_TRUE(ao::explore([] {}).proved());
}

TEST(Explore, CaughtExceptionsAreTheProgramsOwnBusiness) {
  expect(verdict::proved, {2, 6}, [] {
    int caught = 0;
    ao::forall(0, 2, [&](int) {
      try {
        ao::isolated([] { throw std::runtime_error("section"); });
      } catch (const std::runtime_error&) {
        increment(caught);
      }
    });
  });
}

// Whether a task fails depends on the order of two sections that leave the same behind. When both tasks have
// ended, only what the end of the finish will throw tells the orders apart.
TEST(Explore, AnExceptionThatIsStillToBeThrownIsPartOfAState) {
  expect(verdict::race, {2, 6}, [] {
    ao::finish([] {
      ao::async([] { g = 2; });
      int turn = 0;
      try {
        ao::finish([&] {
          ao::async([&] {
            int seen = 0;
            ao::isolated([&] {
              seen = turn;
              turn = 1;
            });
            if (seen == 1) throw std::runtime_error("late");
          });
          ao::async([&] { ao::isolated([&] { turn = 1; }); });
          ao::async([] { ao::isolated([] {}); });
        });
      } catch (const std::runtime_error&) {
        g = 1;
      }
    });
  });
}

TEST(Explore, WhichOfTwoExceptionsIsThrownIsUnknown) {
  const ao::exploration result = ao::explore([] {
    try {
      ao::forall(0, 2, [](int i) { throw i; });
    } catch (int) {
    }
  });
  EXPECT_EQ(result.answer, verdict::unknown);
  EXPECT_NE(result.text.find("which exception"), std::string::npos) << result.text;
  // One after the other: always the first.
  EXPECT_TRUE(ao::explore([] {
                try {
                  const ao::future<void> first = ao::async_future([] { throw 1; });
                  ao::finish([&] { ao::async([first] { first.get(); }); });
                } catch (int) {
                }
              }).proved());
}

TEST(Explore, LibraryCallsAreSeen) {
  expect(verdict::race, {2, 4}, [] {
    ao::finish([] {
      ao::async([] {
        ao::isolated([] {});
        std::memcpy(copied_to, copied_from, sizeof(copied_to));
      });
      ao::isolated([] { std::memset(copied_to, 1, sizeof(copied_to)); });
    });
  });
}

TEST(Explore, StaticsAreInitialisedOnce) {
  expect(verdict::proved, commuting(2), [] {
    int sum = 0;
    ao::forall(0, 2, [&](int i) {
      static const std::map<int, int> kTable{{0, 1}, {1, 2}};
      ao::isolated([&] { sum += kTable.at(i); });
    });
  });
}

thread_local int scratch = 0;

TEST(Explore, ThreadLocalDataAreNotShared) {
  expect(verdict::proved, {1, 1}, [] { ao::forall(0, 2, [](int i) { scratch = i; }); });
}

// --- What cannot be proved, and says so
// ---------------------------------------------------------------------

TEST(Explore, ValuesThatTravelThroughAtomicsAreUnknown) {
  const ao::exploration result = ao::explore([] {
    std::atomic<int> value{0};
    ao::forall(0, 2, [&](int) { ++value; });
  });
  EXPECT_EQ(result.answer, verdict::unknown);
  EXPECT_NE(result.text.find("atomic"), std::string::npos) << result.text;
}

// Which task destroys the object depends on the schedule: no proof, but no race either.
TEST(Explore, CountedReferencesAreNoRace) {
  struct Shared {
    int value = 5;
    ~Shared() { value = 0; }
  };
  const ao::exploration result = ao::explore([] {
    ao::finish([] {
      const auto shared = std::make_shared<Shared>();
      for (int i = 0; i != 3; ++i) {
        ao::async([shared] {
          int seen = 0;
          ao::isolated([&] { seen = h; });
          if (shared->value == seen) throw 1;
        });
      }
    });
  });
  EXPECT_EQ(result.answer, verdict::unknown) << result.text;
  // But what is done after a reference was given up races with the destruction.
  struct WritesAtEnd {
    ~WritesAtEnd() { h = 0; }
  };
  const ao::exploration race = ao::explore([] {
    ao::finish([] {
      auto shared = std::make_shared<WritesAtEnd>();
      ao::async([mine = shared]() mutable {
        mine.reset();
        h = 1;
      });
      ao::async([mine = std::move(shared)]() mutable { mine.reset(); });
    });
  });
  EXPECT_EQ(race.answer, verdict::race) << race.text;
}

TEST(Explore, ReadinessIsUnknown) {
  const ao::exploration result = ao::explore([] {
    const ao::future<int> task = ao::async_future([] { return 1; });
    if (task.ready()) g = 1;
  });
  EXPECT_EQ(result.answer, verdict::unknown);
  EXPECT_NE(result.text.find("ready"), std::string::npos) << result.text;
}

TEST(Explore, ThreadsAndMutexesAreUnknown) {
  const ao::exploration threads = ao::explore([] { std::thread([] { h = 1; }).join(); });
  EXPECT_EQ(threads.answer, verdict::unknown);
  EXPECT_NE(threads.text.find("threads"), std::string::npos) << threads.text;
  std::mutex mutex;
  const ao::exploration locks =
      ao::explore([&] { ao::forall(0, 2, [&](int) { const std::lock_guard lock(mutex); }); });
  EXPECT_EQ(locks.answer, verdict::unknown);
  EXPECT_NE(locks.text.find("mutex"), std::string::npos) << locks.text;
}

// A program that does not end in every order: the search reaches a bound.
TEST(Explore, WaitingForAFlagInALoopHasNoEnd) {
  const ao::exploration result = ao::explore(
      [] {
        int flag = 0;
        ao::finish([&] {
          ao::async([&] {
            for (int seen = 0; seen == 0;) ao::isolated([&] { seen = flag; });
          });
          ao::async([&] { ao::isolated([&] { flag = 1; }); });
        });
      },
      {.max_orders = 20});
  EXPECT_EQ(result.answer, verdict::unknown) << result.text;
  EXPECT_EQ(result.orders, 20U);
}

TEST(Explore, DataThatAreNotResetAreNoticed) {
  int counter = 0;
  const ao::exploration result = ao::explore([&] { ao::forall(0, 3, [&](int) { increment(counter); }); });
  EXPECT_EQ(result.answer, verdict::unknown);
  EXPECT_NE(result.text.find("something else"), std::string::npos) << result.text;
}

TEST(Explore, BoundsAreKept) {
  const auto program = [] {
    int counter = 0;
    ao::forall(0, 8, [&](int) { increment(counter); });
  };
  const ao::exploration few = ao::explore(program, {.max_orders = 5});
  EXPECT_EQ(few.answer, verdict::unknown);
  EXPECT_EQ(few.orders, 5U);
  EXPECT_NE(few.text.find("bound"), std::string::npos) << few.text;
  EXPECT_EQ(ao::explore(program, {.max_seconds = 0}).answer, verdict::unknown);
}

TEST(Explore, MisuseIsAnError) {
  EXPECT_THROW(ao::replay("1..2", [] {}), ao::usage_error);
  EXPECT_THROW(ao::finish([] { static_cast<void>(ao::explore([] {})); }), ao::usage_error);
  EXPECT_THROW(ao::explore([] { ao::isolated([] { ao::async([] {}); }); }), ao::usage_error);
  EXPECT_THROW(ao::explore([] { static_cast<void>(ao::explore([] {})); }), ao::usage_error);
  EXPECT_THROW(ao::explore([] { ao::finish([] { ao::configure({}); }); }), ao::usage_error);
}

TEST(Explore, AScheduleThatTheProgramDoesNotHaveIsUnknown) {
  EXPECT_EQ(ao::replay("5", [] { ao::isolated([] {}); }).answer, verdict::unknown);
  EXPECT_EQ(ao::replay("0.0.1", [] { ao::isolated([] {}); }).answer, verdict::unknown);
}

// Afterwards the program goes on as before, in parallel.
TEST(Explore, OutsideNothingHasChanged) {
  expect(verdict::proved, {1, 2}, [] { ao::isolated([] { h = 1; }); });
  std::atomic<int> sum{0};
  ao::forall(0, 1000, [&](int i) { sum += i; });
  EXPECT_EQ(sum.load(), 499500);
}

}  // namespace
