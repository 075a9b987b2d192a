// Futures: results, handles, and who may get them.

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "counted.hpp"
#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Future);
ANYORDER_ON_EXECUTORS(FutureInParallel, kParallel1, kParallel2, kParallel8);

TEST_P(Future, HoldsValuesOfAnyKind) {
  struct NoDefault {
    explicit NoDefault(int v) : value(v) {}
    int value;
  };
  struct alignas(128) Wide {
    int value;
  };
  ao::finish([] {
    EXPECT_EQ(ao::async_future([] { return 3; }).get(), 3);
    EXPECT_EQ(*ao::async_future([] { return std::make_unique<int>(4); }).get(), 4);
    EXPECT_EQ(ao::async_future([] { return NoDefault(5); }).get().value, 5);
    EXPECT_EQ(ao::async_future([] { return std::string(500, 'a'); }).get(), std::string(500, 'a'));
    const auto wide = ao::async_future([] { return Wide{6}; });
    EXPECT_EQ(wide.get().value, 6);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&wide.get()) % 128, 0U);
    const auto constant = ao::async_future([]() -> const std::string { return "c"; });  // NOLINT
    static_assert(std::is_same_v<decltype(constant), const ao::future<std::string>>);
    EXPECT_EQ(constant.get(), "c");
  });
}

TEST_P(Future, HoldsAnImmovableValue) {
  struct Pinned {
    explicit Pinned(int v) : value(v), self(this) {}
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    int value;
    Pinned* self;
  };
  ao::finish([] {
    const auto f = ao::async_future([] { return Pinned(9); });
    EXPECT_EQ(f.get().value, 9);
    EXPECT_EQ(&f.get(), f.get().self);
  });
}

TEST_P(Future, HoldsAReference) {
  int x = 1;
  ao::finish([&] {
    const auto f = ao::async_future([&]() -> int& { return x; });
    static_assert(std::is_same_v<decltype(f.get()), int&>);
    f.get() = 8;
    EXPECT_EQ(&f.get(), &x);
    const auto c = ao::async_future([&]() -> const int& { return x; });
    static_assert(std::is_same_v<decltype(c.get()), const int&>);
    EXPECT_EQ(&c.get(), &x);
  });
  EXPECT_EQ(x, 8);
}

TEST_P(Future, HoldsNothing) {
  int x = 1;
  ao::finish([&] {
    const ao::future<void> f = ao::async_future([&] { x = 2; });
    static_assert(std::is_void_v<decltype(f.get())>);
    f.get();
    EXPECT_EQ(x, 2);
    f.get();
  });
}

TEST_P(Future, GivesTheSameObjectToEachGet) {
  ao::finish([] {
    const auto f = ao::async_future([] { return std::vector<int>(10, 3); });
    const auto copy = f;
    const std::vector<int>& first = f.get();
    static_assert(std::is_same_v<decltype(f.get()), const std::vector<int>&>);
    EXPECT_EQ(&first, &f.get());
    EXPECT_EQ(&first, &copy.get());
    EXPECT_EQ(first.size(), 10U);
  });
}

TEST_P(Future, IsValidAndReadyAsItSays) {
  const ao::future<int> empty;
  EXPECT_FALSE(empty.valid());
  EXPECT_FALSE(empty.ready());
  ao::future<int> f;
  ao::finish([&] {
    f = ao::async_future([] { return 1; });
    EXPECT_TRUE(f.valid());
    EXPECT_EQ(f.get(), 1);
    EXPECT_TRUE(f.ready());
  });
  EXPECT_TRUE(f.ready());
  ao::future<int> failed;
  EXPECT_THROW(ao::finish([&] { failed = ao::async_future([]() -> int { throw 1; }); }), int);
  EXPECT_TRUE(failed.valid());
  EXPECT_TRUE(failed.ready());
}

TEST_P(FutureInParallel, IsNotReadyBeforeItHasRun) {
  ao::finish([] {
    std::atomic<bool> go{false};
    const auto f = ao::async_future([&] {
      while (!go) std::this_thread::yield();
    });
    EXPECT_FALSE(f.ready());
    go = true;
    f.get();
    EXPECT_TRUE(f.ready());
  });
}

TEST_P(Future, HandlesCopyMoveSwapAndAssign) {
  ao::finish([] {
    auto a = ao::async_future([] { return 1; });
    auto b = ao::async_future([] { return 2; });
    a.swap(b);
    EXPECT_EQ(a.get(), 2);
    EXPECT_EQ(b.get(), 1);
    auto c = std::move(a);
    EXPECT_FALSE(a.valid());  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(c.get(), 2);
    a = c;
    EXPECT_EQ(a.get(), 2);
    EXPECT_TRUE(c.valid());
    auto& alias = a;
    a = alias;
    ASSERT_TRUE(a.valid());
    EXPECT_EQ(a.get(), 2);
    a = std::move(alias);
    ASSERT_TRUE(a.valid());
    EXPECT_EQ(a.get(), 2);
    a = ao::future<int>{};
    EXPECT_FALSE(a.valid());
    EXPECT_EQ(c.get(), 2);
    static_assert(std::is_nothrow_move_constructible_v<ao::future<int>>);
    static_assert(std::is_nothrow_move_assignable_v<ao::future<int>>);
    static_assert(std::is_nothrow_copy_constructible_v<ao::future<int>>);
  });
}

TEST_P(Future, HandlesLiveInContainers) {
  ao::finish([] {
    std::map<std::string, ao::future<int>> by_name;
    std::vector<ao::future<int>> all;
    for (int i = 0; i != 500; ++i) {
      all.push_back(ao::async_future([i] { return i * i; }));
      by_name[std::to_string(i)] = all.back();
    }
    std::optional<ao::future<int>> one = all[7];
    all.erase(all.begin() + 10, all.begin() + 490);
    EXPECT_EQ(one->get(), 49);
    EXPECT_EQ(all[10].get(), 490 * 490);
    for (int i = 499; i >= 0; --i) ASSERT_EQ(by_name.at(std::to_string(i)).get(), i * i);
  });
}

TEST_P(Future, OutlivesItsFinishAndItsThread) {
  ao::future<std::string> kept;
  ao::finish([&] { kept = ao::async_future([] { return std::string(100, 'k'); }); });
  EXPECT_EQ(kept.get(), std::string(100, 'k'));

  ao::future<std::string> from_thread;
  std::thread([&] { from_thread = ao::async_future([] { return std::string(100, 't'); }); }).join();
  EXPECT_TRUE(from_thread.ready());
  EXPECT_EQ(from_thread.get(), std::string(100, 't'));
}

TEST_P(Future, HandleIsDroppedByAThreadThatKnowsNothingOfTheLibrary) {
  std::atomic<int> alive{0};
  ao::future<Counted> kept;
  ao::finish([&] { kept = ao::async_future([&] { return Counted(alive, 3); }); });
  EXPECT_EQ(alive, 1);
  std::thread([f = std::move(kept)]() mutable {
    auto copy = f;
    f = {};
    EXPECT_TRUE(copy.ready());
  }).join();
  EXPECT_EQ(alive, 0);
}

// Every task gets futures that were created by other branches of the tree.
TEST_P(Future, IsGotByTasksThatDidNotCreateIt) {
  for (int round = 0; round != 20; ++round) {
    std::atomic<long> sum{0};
    ao::finish([&] {
      std::vector<ao::future<int>> all;
      all.push_back(ao::async_future([] { return 1; }));
      for (int i = 1; i != 200; ++i) {
        all.push_back(ao::async_future(
            [one = all[static_cast<std::size_t>(i / 2)], two = all[static_cast<std::size_t>(i - 1)]] {
              ao::finish([&] { ao::async([&] { static_cast<void>(two.get()); }); });
              return one.get() + (two.get() > 0 ? 1 : 0);
            }));
      }
      for (const auto& f : all) {
        ao::async([&sum, f] { sum += f.get(); });
      }
    });
    long expected = 1;
    std::vector<long> value{1};
    for (std::size_t i = 1; i != 200; ++i) {
      value.push_back(value[i / 2 == i ? i - 1 : i / 2] + 1);
      expected += value.back();
    }
    ASSERT_EQ(sum, expected);
  }
}

TEST_P(Future, IsGotByManyTasksAtOnce) {
  for (int round = 0; round != 20; ++round) {
    std::atomic<int> sum{0};
    ao::finish([&] {
      const auto slow = ao::async_future([] {
        for (int i = 0; i != 20; ++i) std::this_thread::yield();
        return 2;
      });
      for (int i = 0; i != 300; ++i) ao::async([&sum, slow] { sum += slow.get(); });
    });
    ASSERT_EQ(sum, 600);
  }
}

TEST_P(Future, PassesHandlesOnInItsResult) {
  ao::finish([] {
    const auto outer = ao::async_future([] { return ao::async_future([] { return 12; }); });
    EXPECT_EQ(outer.get().get(), 12);
  });
}

TEST_P(Future, ChainsEachOnTheOneBefore) {
  ao::finish([] {
    auto last = ao::async_future([] { return 0; });
    for (int i = 0; i != 20'000; ++i) {
      last = ao::async_future([before = std::move(last)] { return before.get() + 1; });
    }
    EXPECT_EQ(last.get(), 20'000);
  });
}

TEST_P(Future, RunsOnceHoweverManyWantIt) {
  for (int round = 0; round != 50; ++round) {
    std::array<std::atomic<int>, 50> runs{};
    std::vector<ao::future<int>> all;
    ao::finish([&] {
      for (auto& run : runs) all.push_back(ao::async_future([&run] { return ++run; }));
      for (int getter = 0; getter != 8; ++getter) {
        ao::async([&all, getter] {
          for (std::size_t i = 0; i != all.size(); ++i) {
            const std::size_t at = getter % 2 == 0 ? i : all.size() - 1 - i;
            EXPECT_EQ(all[at].get(), 1);
          }
        });
      }
      ao::finish([&] { ao::async([&] { EXPECT_EQ(all[25].get(), 1); }); });
      for (const auto& f : all) f.get();
    });
    for (const auto& run : runs) ASSERT_EQ(run, 1);
  }
}

TEST_P(Future, DestroysItsResultOnceWhenItsLastHandleGoes) {
  std::atomic<int> alive{0};
  ao::future<Counted> kept;
  ao::finish([&] {
    kept = ao::async_future([&] { return Counted(alive, 3); });
    auto copy = kept;
  });
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(kept.get().value(), 3);
  kept = {};
  EXPECT_EQ(alive, 0);
}

// Getting the older one first leaves its place in the queue behind; the result must not wait for that.
TEST_P(Future, DestroysAResultThatWasGotOutOfOrder) {
  static std::atomic<int> alive{0};  // a result that is destroyed late finds it all the same
  alive = 0;
  for (int round = 0; round != 100; ++round) {
    ao::finish([&] {
      auto older = ao::async_future([&] { return Counted(alive, 1); });
      auto newer = ao::async_future([&] { return Counted(alive, 2); });
      EXPECT_EQ(older.get().value(), 1);
      older = {};
      newer = {};
    });
    ASSERT_EQ(alive, 0) << "in round " << round;
  }
}

TEST_P(Future, DestroysAResultAtTheMomentItsLastHandleGoes) {
  static std::atomic<int> alive{0};  // a result that is destroyed late finds it all the same
  alive = 0;
  ao::finish([&] {
    auto older = ao::async_future([&] { return Counted(alive, 1); });
    const auto newer = ao::async_future([&] { return 2; });
    EXPECT_EQ(older.get().value(), 1);
    EXPECT_EQ(alive, 1);
    older = {};
    EXPECT_EQ(alive, 0);
    newer.get();
  });
}

// Also where that is inside the destructor of another result.
TEST_P(Future, DestroysAResultBeforeWhatItRefersTo) {
  static std::atomic<int> in_time{0};  // of 3
  in_time = 0;
  struct Inner {
    std::atomic<int>* counter;
    explicit Inner(std::atomic<int>& of) : counter(&of) {}
    Inner(Inner&& other) noexcept : counter(std::exchange(other.counter, nullptr)) {}
    ~Inner() {
      if (counter != nullptr) ++*counter;
    }
  };
  struct Outer {
    bool last = true;
    Outer() = default;
    Outer(Outer&& other) noexcept : last(std::exchange(other.last, false)) {}
    ~Outer() {
      if (!last) return;
      static std::atomic<int> destroyed{0};  // a local one in a program that can rely on it
      destroyed = 0;
      {
        const auto got = ao::async_future([] { return Inner(destroyed); });
        got.get();
      }
      in_time += destroyed;
      ao::finish([] { ao::async_future([] { return Inner(destroyed); }); });
      in_time += destroyed - 1;
      const auto nested = ao::async_future([] {
        const auto got = ao::async_future([] { return Inner(destroyed); });
        got.get();
      });
      nested.get();
      in_time += destroyed - 2;
    }
  };
  ao::finish([] {
    const auto outer = ao::async_future([] { return Outer(); });
    outer.get();
  });
  EXPECT_EQ(in_time, 3);
}

TEST_P(Future, DestroysNothingWhereTheTaskFailed) {
  std::atomic<int> alive{0};
  ao::future<Counted> failed;
  EXPECT_THROW(ao::finish([&] {
                 failed = ao::async_future([&]() -> Counted {
                   const Counted local(alive);
                   throw 3;
                 });
               }),
               int);
  EXPECT_EQ(alive, 0);
  failed = {};
  EXPECT_EQ(alive, 0);
}

struct Node {
  int value = 0;
  ao::future<Node> next;
};

ao::future<Node> chain_of(int length) {
  ao::future<Node> head = ao::async_future([] { return Node{}; });
  for (int i = 1; i != length; ++i) {
    // Ended before it becomes a part of the next one, so that the chain lives in results alone.
    head.get();
    head = ao::async_future([i, next = std::move(head)] { return Node{i, next}; });
  }
  head.get();
  return head;
}

// Unrolled on the stack it would take more than there is.
constexpr int kLongChain = 200'000;

TEST_P(Future, DropsALongChainOfResultsWithoutRecursion) {
  ao::future<Node> head;
  ao::finish([&] { head = chain_of(kLongChain); });
  EXPECT_EQ(head.get().value, kLongChain - 1);
  head = {};
  EXPECT_FALSE(head.valid());
}

TEST_P(Future, DropsAChainInATask) {
  ao::finish([] {
    ao::async([] {
      auto head = chain_of(kLongChain / 10);
      head = {};
    });
  });
}

// Such a thread has no worker: the chain must not be unrolled on its stack all the same.
TEST_P(Future, DropsAChainOnAThreadThatKnowsNothingOfTheLibrary) {
  EXPECT_EXIT(
      {
        ao::future<Node> head;
        ao::finish([&] { head = chain_of(kLongChain); });
        std::thread([f = std::move(head)]() mutable { f = {}; }).join();
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_P(Future, ResultsMayUseTheLibraryInTheirDestructors) {
  struct Busy {
    std::atomic<int>* count;
    explicit Busy(std::atomic<int>& c) : count(&c) {}
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() {
      ao::finish([this] {
        for (int i = 0; i != 4; ++i) {
          ao::async([this] { ao::isolated([this] { ++*count; }); });
        }
        const auto f = ao::async_future([this] { return ++*count; });
        static_cast<void>(f.get());
      });
    }
  };
  std::atomic<int> count{0};
  ao::finish([&] {
    for (int i = 0; i != 100; ++i) {
      auto f = ao::async_future([&] { return Busy(count); });
      f.get();
    }
  });
  EXPECT_EQ(count, 500);
}

}  // namespace
