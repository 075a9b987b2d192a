// async: what becomes of the closure.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "counted.hpp"
#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Async);
ANYORDER_ON_EXECUTORS(AsyncInParallel, kParallel1, kParallel2, kParallel8);
ANYORDER_ON_EXECUTORS(AsyncSerially, kSerial);

std::atomic<int> called{0};
void count_call() { ++called; }
int count_call_and_return() { return ++called; }

TEST_P(Async, TakesFunctionsAndTheirPointers) {
  called = 0;
  ao::finish([] {
    ao::async(count_call);
    ao::async(&count_call);
    ao::async(&count_call_and_return);  // its result is dropped
    ao::async(std::function<void()>(&count_call));
  });
  EXPECT_EQ(called, 4);
}

TEST_P(Async, TakesMoveOnlyClosures) {
  int seen = 0;
  ao::finish([&] {
    auto p = std::make_unique<int>(17);
    ao::async([&seen, p = std::move(p)] { seen = *p; });
  });
  EXPECT_EQ(seen, 17);
}

TEST_P(Async, CallsAMutableClosure) {
  int seen = 0;
  ao::finish([&] {
    ao::async([&seen, n = 1]() mutable {
      n += 4;
      seen = n;
    });
  });
  EXPECT_EQ(seen, 5);
}

TEST_P(Async, CallsTheClosureAsAnRvalue) {
  struct Body {
    int* which;
    void operator()() & { *which = 1; }
    void operator()() && { *which = 2; }
  };
  int which = 0;
  ao::finish([&] { ao::async(Body{&which}); });
  EXPECT_EQ(which, 2);
}

struct alignas(64) Line {
  std::array<std::uint64_t, 8> words;
};
struct alignas(256) Wide {
  std::array<char, 256> bytes;
};
template <class T>
bool aligned(const T& object) {
  return reinterpret_cast<std::uintptr_t>(&object) % alignof(T) == 0;
}

TEST_P(Async, AlignsWhatItsClosureHolds) {
  std::atomic<int> right{0};
  ao::finish([&] {
    for (std::uint64_t i = 0; i != 100; ++i) {
      Line line{};
      line.words.fill(i);
      Wide wide{};
      wide.bytes.fill(static_cast<char>(i));
      ao::async([&right, line, wide, i] {
        if (aligned(line) && aligned(wide) && line.words[7] == i && wide.bytes[255] == static_cast<char>(i)) {
          ++right;
        }
      });
      ao::async([&right, line, i] { right += aligned(line) && line.words[0] == i ? 1 : 0; });
    }
  });
  EXPECT_EQ(right, 200);
}

template <std::size_t kBytes>
void expect_closure_of(std::atomic<int>& right) {
  std::array<unsigned char, kBytes> data{};
  for (std::size_t i = 0; i != kBytes; ++i) data[i] = static_cast<unsigned char>(i * 7 + kBytes);
  ao::async([data, &right] {
    bool same = true;
    for (std::size_t i = 0; i != kBytes; ++i) {
      same = same && data[i] == static_cast<unsigned char>(i * 7 + kBytes);
    }
    right += same ? 1 : 0;
  });
}

// Around the largest block that is cached, 512 bytes with the record's head, and far beyond it.
TEST_P(Async, TakesClosuresOfAnySize) {
  std::atomic<int> right{0};
  ao::finish([&] {
    for (int i = 0; i != 50; ++i) {
      expect_closure_of<1>(right);
      expect_closure_of<400>(right);
      expect_closure_of<431>(right);
      expect_closure_of<432>(right);
      expect_closure_of<448>(right);
      expect_closure_of<449>(right);
      expect_closure_of<464>(right);
      expect_closure_of<465>(right);
      expect_closure_of<480>(right);
      expect_closure_of<512>(right);
      expect_closure_of<513>(right);
      expect_closure_of<5000>(right);
      expect_closure_of<100'000>(right);
    }
  });
  EXPECT_EQ(right, 50 * 13);
}

TEST_P(Async, CopiesAnLvalueClosure) {
  std::atomic<int> sum{0};
  ao::finish([&] {
    int n = 1;
    auto body = [&sum, n]() mutable {
      ++n;
      sum += n;
    };
    ao::async(body);
    ao::async(body);
    n = 100;
    ao::async(body);
  });
  EXPECT_EQ(sum, 6);
}

TEST_P(Async, DestroysItsClosureOnceAndBeforeTheFinishEnds) {
  std::atomic<int> alive{0};
  for (int round = 0; round != 50; ++round) {
    ao::finish([&] {
      for (int i = 0; i != 20; ++i) {
        const Counted c(alive, i);
        ao::async([c, i] { EXPECT_EQ(c.value(), i); });
      }
    });
    ASSERT_EQ(alive, 0);
  }
}

TEST_P(Async, DestroysItsClosureWhenTheTaskThrows) {
  std::atomic<int> alive{0};
  EXPECT_THROW(ao::finish([&] { ao::async([c = Counted(alive)] { throw 1; }); }), int);
  EXPECT_EQ(alive, 0);
}

struct ThrowsWhenCopied {
  explicit ThrowsWhenCopied(std::atomic<int>& a) : counted(a) {}
  ThrowsWhenCopied(const ThrowsWhenCopied& other) : counted(other.counted) { throw 5; }
  Counted counted;
  void operator()() const {}
};

TEST_P(Async, LeavesNothingBehindWhenTheClosureCannotBeCopied) {
  std::atomic<int> alive{0};
  {
    const ThrowsWhenCopied body(alive);
    ao::finish([&] {
      EXPECT_THROW(ao::async(body), int);
      EXPECT_THROW(static_cast<void>(ao::async_future(body)), int);
    });
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST_P(AsyncInParallel, NeverRunsOnTheCreatorsStack) {
  bool creating = false;
  bool ran_meanwhile = false;
  const auto creator = std::this_thread::get_id();
  ao::finish([&] {
    for (int i = 0; i != 2000; ++i) {
      creating = true;
      ao::async([&, creator] {
        if (std::this_thread::get_id() == creator && creating) ran_meanwhile = true;
      });
      creating = false;
    }
  });
  EXPECT_FALSE(ran_meanwhile);
}

TEST_P(AsyncSerially, RunsAtOnce) {
  std::vector<int> order;
  ao::finish([&] {
    order.push_back(1);
    ao::async([&] {
      order.push_back(2);
      ao::async([&] { order.push_back(3); });
      order.push_back(4);
    });
    order.push_back(5);
    static_cast<void>(ao::async_future([&] { order.push_back(6); }));
    ao::forasync(7, 9, [&](int i) { order.push_back(i); });
    order.push_back(9);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_P(Async, NestsDeeply) {
  struct Nest {
    std::atomic<int>* count;
    int left;
    void operator()() const {
      ++*count;
      if (left != 0) ao::async(Nest{count, left - 1});
    }
  };
  std::atomic<int> count{0};
  ao::finish([&] { ao::async(Nest{&count, kDeep}); });
  EXPECT_EQ(count, kDeep + 1);
}

}  // namespace
