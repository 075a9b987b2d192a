// Ordinary threads as users of the library, several at once and one after another.

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Threads);
// A task waits for threads by spinning: with one worker that would not end.
ANYORDER_ON_EXECUTORS(ThreadsTogether, kSerial, kParallel2, kParallel8);
ANYORDER_ON_EXECUTORS(ThreadsAlone, kParallel1);  // without a pool

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  ao::finish([&] {
    ao::async([&] { a = fib(n - 1); });
    b = fib(n - 2);
  });
  return a + b;
}

long fib_of_futures(int n) {
  if (n < 2) return n;
  const auto a = ao::async_future([n] { return fib_of_futures(n - 1); });
  const auto b = ao::async_future([n] { return fib_of_futures(n - 2); });
  return b.get() + a.get();
}

TEST_P(Threads, EachHaveTheirOwnFinish) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t != 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i != 10; ++i) {
        right += fib(10 + t % 3) == (t % 3 == 0 ? 55 : t % 3 == 1 ? 89 : 144) ? 1 : 0;
        ao::finish([&] { right += fib_of_futures(10) == 55 ? 1 : 0; });
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(right, 120);
}

TEST_P(Threads, GetEachOthersFutures) {
  for (int round = 0; round != 50; ++round) {
    std::promise<ao::future<int>> there;
    std::promise<ao::future<int>> back;
    std::thread one([&] {
      ao::finish([&] {
        there.set_value(ao::async_future([] {
          for (int i = 0; i != 10; ++i) std::this_thread::yield();
          return 1;
        }));
      });
      EXPECT_EQ(back.get_future().get().get(), 2);
    });
    std::thread two([&] {
      const ao::future<int> f = there.get_future().get();
      ao::finish([&] { back.set_value(ao::async_future([f] { return f.get() + 1; })); });
    });
    one.join();
    two.join();
  }
}

TEST_P(ThreadsTogether, WaitInTheirTasksForEachOthersTasks) {
  for (int round = 0; round != 30; ++round) {
    std::mutex mutex;
    std::vector<ao::future<int>> published;
    std::atomic<int> waiting{0};
    std::atomic<int> sum{0};
    constexpr int kThreads = 4;
    std::vector<std::thread> threads;
    for (int t = 0; t != kThreads; ++t) {
      threads.emplace_back([&, t] {
        ao::finish([&] {
          ao::async([&, t] {
            const auto mine = ao::async_future([t] {
              for (int i = 0; i != 20; ++i) std::this_thread::yield();
              return t;
            });
            {
              const std::lock_guard lock(mutex);
              published.push_back(mine);
            }
            ++waiting;
            while (waiting != kThreads) std::this_thread::yield();
            std::vector<ao::future<int>> all;
            {
              const std::lock_guard lock(mutex);
              all = published;
            }
            for (const auto& f : all) sum += f.get();
          });
        });
      });
    }
    for (auto& t : threads) t.join();
    ASSERT_EQ(sum, kThreads * (0 + 1 + 2 + 3));
  }
}

// More strands stand than a worker may add to while another one runs. The thread that ran last goes on with
// its own stack: the task that it leaves in its queue, for which all others wait, is theirs to start.
TEST_P(ThreadsAlone, LeaveTheirQueueToEachOther) {
  using namespace std::chrono_literals;
  std::atomic<bool> soon_got{false};
  std::atomic<bool> waits{false};
  std::atomic<bool> started{false};
  std::atomic<int> waiting{0};
  ao::future<void> ends_soon;
  ao::future<void> ends_late;
  std::thread many([&] {
    ao::finish([&] {
      ends_soon = ao::async_future([&] {
        soon_got = true;
        while (!started) std::this_thread::yield();
      });
      ends_soon.get();
      for (int i = 0; i != 1100; ++i) {
        ao::async([&] {
          ++waiting;
          ends_late.get();
        });
      }
    });
  });
  std::thread one([&] {
    while (!waits) std::this_thread::yield();
    std::this_thread::sleep_for(20ms);
    ends_late = ao::async_future([&] {
      ao::finish([&] {
        ao::async([&] {  // on the thread of the test, which waits
          started = true;
          while (waiting < 900) std::this_thread::yield();
          std::this_thread::sleep_for(100ms);
          ao::async([] {});
          std::this_thread::sleep_for(100ms);
        });
        while (!started) std::this_thread::yield();
      });
    });
    ends_late.get();
  });
  while (!soon_got) std::this_thread::yield();
  waits = true;
  ends_soon.get();
  one.join();
  many.join();
  EXPECT_EQ(waiting, 1100);
}

TEST_P(Threads, WhichEndJoinTheirTasks) {
  for (int round = 0; round != 100; ++round) {
    std::atomic<int> ran{0};
    std::thread([&] {
      for (int i = 0; i != 10; ++i) {
        ao::async([&] {
          std::this_thread::yield();
          ao::async([&] { ++ran; });
          ++ran;
        });
      }
    }).join();
    ASSERT_EQ(ran, 20);
  }
}

TEST_P(Threads, ComeAndGoByTheThousand) {
  std::atomic<int> ran{0};
  for (int t = 0; t != 2000; ++t) {
    std::thread([&, t] {
      if (t % 2 == 0) ao::finish([&] { ao::async([&] { ++ran; }); });
      ao::async([&] { ++ran; });
    }).join();
  }
  EXPECT_EQ(ran, 3000);
}

// Threads end at the very moment at which their last task does, on another worker.
TEST_P(Threads, EndRightAfterTheirFinish) {
  std::atomic<int> ran{0};
  for (int round = 0; round != 100; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t != 8; ++t) {
      threads.emplace_back([&] {
        ao::finish([&] {
          for (int i = 0; i != 4; ++i) ao::async([&] { ++ran; });
        });
      });
    }
    for (auto& t : threads) t.join();
  }
  EXPECT_EQ(ran, 100 * 8 * 4);
}

TEST_P(Threads, UseTheImplicitFinishAndThenAFinish) {
  std::atomic<int> before{0};
  std::thread([&] {
    for (int i = 0; i != 50; ++i) ao::async([&] { ++before; });
    std::atomic<int> inside{0};
    ao::finish([&] {
      for (int i = 0; i != 50; ++i) ao::async([&] { ++inside; });
    });
    EXPECT_EQ(inside, 50);
    const auto f = ao::async_future([] { return 1; });
    EXPECT_EQ(f.get(), 1);
  }).join();
  EXPECT_EQ(before, 50);
}

}  // namespace
