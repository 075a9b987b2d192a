// isolated: results, exclusion, and that the exclusion ends.

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Isolated);

// Notices when two are inside at once.
class Inside {
 public:
  explicit Inside(std::atomic<int>& inside, std::atomic<int>& most) : inside_(&inside) {
    const int now = ++*inside_;
    int before = most;
    while (now > before && !most.compare_exchange_weak(before, now)) {
    }
    for (int i = 0; i != 3; ++i) std::this_thread::yield();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --*inside_; }

 private:
  std::atomic<int>* inside_;
};

TEST_P(Isolated, CountsRight) {
  long count = 0;
  ao::forall(0, 20'000, [&](int /*i*/) { ao::isolated([&] { ++count; }); });
  EXPECT_EQ(count, 20'000);
}

TEST_P(Isolated, ReturnsWhatItsBodyReturns) {
  int x = 1;
  EXPECT_EQ(ao::isolated([] { return 3; }), 3);
  EXPECT_EQ(*ao::isolated([] { return std::make_unique<int>(4); }), 4);
  EXPECT_EQ(&ao::isolated([&]() -> int& { return x; }), &x);
  static_assert(std::is_void_v<decltype(ao::isolated([] {}))>);
  static_assert(std::is_same_v<decltype(ao::isolated([&]() -> int& { return x; })), int&>);
  static_assert(std::is_same_v<decltype(ao::isolated([&] { return x; })), int>);
  EXPECT_EQ(ao::isolated(&x, [] { return 5; }), 5);
  EXPECT_EQ(*ao::isolated(&x, [] { return std::make_unique<int>(6); }), 6);
  EXPECT_EQ(&ao::isolated(&x, [&]() -> int& { return x; }), &x);
  static_assert(std::is_same_v<decltype(ao::isolated(&x, &x, [&]() -> int& { return x; })), int&>);
  static_assert(std::is_void_v<decltype(ao::isolated(&x, [] {}))>);
  ao::isolated(&x, [&] { x = 7; });
  EXPECT_EQ(x, 7);
}

TEST_P(Isolated, TakesAMutableAndAMoveOnlyBody) {
  auto p = std::make_unique<int>(1);
  EXPECT_EQ(ao::isolated([p = std::move(p)]() mutable { return ++*p; }), 2);
  int n = 0;
  auto body = [&n, calls = 0]() mutable { n = ++calls; };
  ao::isolated(body);
  ao::isolated(body);
  EXPECT_EQ(n, 2) << "an lvalue is called, not a copy";
  const int object = 0;
  ao::isolated(&object, body);
  EXPECT_EQ(n, 3);
}

TEST_P(Isolated, ExcludesEveryOther) {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  ao::forall(0, 300, [&](int /*i*/) { ao::isolated([&] { const Inside in(inside, most); }); });
  EXPECT_EQ(most, 1);
}

TEST_P(Isolated, OnAnObjectExcludesThatObject) {
  std::vector<int> objects(3);
  std::vector<std::atomic<int>> inside(3);
  std::atomic<int> most{0};
  ao::forall(0, 300, [&](int i) {
    const auto at = static_cast<std::size_t>(i % 3);
    ao::isolated(&objects[at], [&] {
      const Inside in(inside[at], most);
      ++objects[at];
    });
  });
  EXPECT_EQ(most, 1);
  EXPECT_EQ(objects, (std::vector<int>{100, 100, 100}));
}

TEST_P(Isolated, OnSeveralObjectsExcludesEachOfThem) {
  std::vector<long> accounts(8, 1000);
  ao::forall(0, 5000, [&](int i) {
    const auto from = static_cast<std::size_t>(i % 8);
    const auto to = static_cast<std::size_t>((i * 5 + 3) % 8);
    ao::isolated(&accounts[from], &accounts[to], [&] {
      --accounts[from];
      ++accounts[to];
    });
  });
  long sum = 0;
  for (const long a : accounts) sum += a;
  EXPECT_EQ(sum, 8000);
}

TEST_P(Isolated, TakesTheSameObjectTwice) {
  int x = 0;
  ao::forall(0, 100, [&](int /*i*/) { ao::isolated(&x, &x, &x, [&] { ++x; }); });
  EXPECT_EQ(x, 100);
}

TEST_P(Isolated, WithAndWithoutObjectsExcludeEachOther) {
  long count = 0;
  int other = 0;
  ao::forall(0, 6000, [&](int i) {
    if (i % 3 == 0) {
      ao::isolated([&] { ++count; });
    } else if (i % 3 == 1) {
      ao::isolated(&count, [&] { ++count; });
    } else {
      ao::isolated(&other, &count, [&] { ++count; });
    }
  });
  EXPECT_EQ(count, 6000);
}

// 4 of 1024 objects that are locked in opposite orders by the callers.
TEST_P(Isolated, DoesNotDeadlockOnTheOrderOfObjects) {
  std::vector<int> objects(1024);
  ao::forall(0, 4000, [&](int i) {
    const auto at = [&](int k) {
      return static_cast<std::size_t>((i * 37 + k * (i % 2 == 0 ? 1 : 1021)) & 1023);
    };
    ao::isolated(&objects[at(0)], &objects[at(1)], &objects[at(2)], &objects[at(3)], [&] {
      for (int k = 0; k != 4; ++k) ++objects[at(k)];
    });
  });
  long sum = 0;
  for (const int n : objects) sum += n;
  EXPECT_EQ(sum, 16'000);
}

TEST_P(Isolated, TakesPointersToAnything) {
  const int constant = 1;
  const void* untyped = &constant;
  struct Base {
    virtual ~Base() = default;
  } base;
  int array[4] = {};
  int ran = 0;
  ao::isolated(&constant, [&] { ++ran; });
  ao::isolated(untyped, [&] { ++ran; });
  ao::isolated(&base, untyped, [&] { ++ran; });
  ao::isolated(array, &array[1], [&] { ++ran; });
  ao::isolated(static_cast<int*>(nullptr), [&] { ++ran; });
  EXPECT_EQ(ran, 5);
}

TEST_P(Isolated, LetsGoWhenItsBodyThrows) {
  int x = 0;
  for (int i = 0; i != 3; ++i) {
    EXPECT_THROW(ao::isolated([] { throw std::runtime_error("x"); }), std::runtime_error);
    EXPECT_THROW(ao::isolated(&x, [] { throw std::runtime_error("x"); }), std::runtime_error);
    EXPECT_THROW(ao::forall(0, 10, [&](int /*i*/) { ao::isolated(&x, [] { throw 1; }); }), int);
  }
  // From elsewhere as well: these would hang.
  std::thread([&] {
    ao::isolated([&] { ++x; });
    ao::isolated(&x, [&] { ++x; });
  }).join();
  EXPECT_EQ(x, 2);
}

TEST_P(Isolated, WorksOutsideEveryTask) {
  int x = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i != 500; ++i) ao::isolated([&] { ++x; });
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(x, 2000);
}

}  // namespace
