// Join policies: which gets throw, with what in the exception; and that all programs come to an end.

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "executors.hpp"

namespace {

// A variable through which a handle gets to another task without order between the two: by an atomic, so that
// the tests themselves have no data race.
template <class R>
class Shared {
 public:
  void set(const ao::future<R>& handle) {
    handle_ = handle;
    is_set_.store(true, std::memory_order_release);
  }
  ao::future<R> wait() const {
    while (!is_set_.load(std::memory_order_acquire)) std::this_thread::yield();
    return handle_;
  }

 private:
  ao::future<R> handle_;
  std::atomic<bool> is_set_{false};
};

struct Policy {
  const char* name;
  ao::join_policy policy;
  unsigned workers;
};
void PrintTo(const Policy& policy, std::ostream* out) { *out << policy.name << policy.workers; }

class Joins : public ::testing::TestWithParam<Policy> {
 protected:
  void SetUp() override {
    before_ = ao::configuration();
    ao::configure({ao::executor::parallel, GetParam().workers, 0, GetParam().policy});
  }
  void TearDown() override { ao::configure(before_); }
  static bool strict() { return GetParam().policy == ao::join_policy::strict; }

  // The number of gets that were refused in f.
  template <class F>
  static int refused(F f) {
    std::atomic<int> count{0};
    f([&count](auto get) {
      try {
        get();
      } catch (const ao::deadlock_error&) {
        ++count;
      } catch (const ao::unknown_join_error&) {
        ++count;
      }
    });
    return count;
  }

 private:
  ao::options before_;
};
INSTANTIATE_TEST_SUITE_P(Under, Joins,
                         ::testing::Values(Policy{"known", ao::join_policy::known, 2},
                                           Policy{"known", ao::join_policy::known, 8},
                                           Policy{"known_vc", ao::join_policy::known_vc, 2},
                                           Policy{"strict", ao::join_policy::strict, 2},
                                           Policy{"cycle", ao::join_policy::cycle, 2},
                                           Policy{"cycle", ao::join_policy::cycle, 8}),
                         [](const auto& param) {
                           return std::string(param.param.name) + "_" + std::to_string(param.param.workers);
                         });

TEST_P(Joins, Listing21RunsUnderEachPolicy) {
  ao::future<ao::future<int>> a = ao::async_future([] { return ao::async_future([] { return 7; }); });
  EXPECT_EQ(a.get().get(), 7);
}

TEST_P(Joins, Listing22EndsByOneException) {
  for (int round = 0; round != 50; ++round) {
    Shared<int> x;
    Shared<int> y;
    const int count = refused([&](auto attempt) {
      ao::finish([&] {
        x.set(ao::async_future([&, attempt] {
          const ao::future<int> h = y.wait();
          attempt([&] { h.get(); });
          return 1;
        }));
        y.set(ao::async_future([&, attempt] {
          const ao::future<int> g = x.wait();
          attempt([&] { g.get(); });
          return 2;
        }));
      });
    });
    // Under cycles none may close: one task may have ended before the other one asks.
    EXPECT_LE(count, 1);
    if (strict()) {
      EXPECT_EQ(count, 1);
    }
  }
}

// The student's: f2 waits for S[i], which waits for f2.
TEST_P(Joins, TheStudentsSmithWaterman) {
  constexpr int kLength = 20;
  const int count = refused([&](auto attempt) {
    ao::finish([&] {
      std::vector<Shared<int>> s(kLength + 1);
      ao::finish([&] {
        s[0].set(ao::async_future([] { return 0; }));
        for (int i = 1; i <= kLength; ++i) {
          const ao::future<int> above = s[static_cast<std::size_t>(i - 1)].wait();
          const ao::future<int> f1 = ao::async_future([above] { return above.get() + 1; });
          const ao::future<int> f2 = ao::async_future([&s, i, attempt] {
            int score = 0;
            const ao::future<int> own = s[static_cast<std::size_t>(i)].wait();
            attempt([&] { score = own.get(); });
            return score;
          });
          const ao::future<int> f3 = ao::async_future([above] { return above.get() + 1; });
          s[static_cast<std::size_t>(i)].set(ao::async_future([f1, f2, f3, attempt] {
            int score = std::max(f1.get(), f3.get());
            attempt([&] { score = std::max(score, f2.get()); });
            return score;
          }));
        }
      });
      EXPECT_EQ(s[kLength].wait().get(), kLength);
    });
  });
  EXPECT_EQ(count, kLength);
}

TEST_P(Joins, ATaskThatGetsItself) {
  const int count = refused([&](auto attempt) {
    Shared<void> self;
    ao::finish([&] {
      self.set(ao::async_future([&, attempt] {
        const ao::future<void> own = self.wait();
        attempt([&] { own.get(); });
      }));
    });
  });
  EXPECT_EQ(count, 1);
}

// F0=future{F1=future{get F0; get F1}}: an ended stranger teaches nothing.
TEST_P(Joins, AnEndedStrangerTeachesNothing) {
  for (int round = 0; round != 20; ++round) {
    Shared<void> f0;
    Shared<void> f1;
    const int count = refused([&](auto attempt) {
      ao::finish([&] {
        f0.set(ao::async_future([&, attempt] {
          f1.set(ao::async_future([&, attempt] {
            const ao::future<void> outer = f0.wait();
            attempt([&] { outer.get(); });
            const ao::future<void> own = f1.wait();
            attempt([&] { own.get(); });
          }));
        }));
      });
    });
    EXPECT_EQ(count, strict() ? 2 : 1);
  }
}

// F1=future{F4=future{get F1}; get F4}: a known get closes the cycle, and the stranger's ends.
TEST_P(Joins, AKnownGetClosesACycle) {
  for (int round = 0; round != 20; ++round) {
    Shared<void> f1;
    std::atomic<bool> stranger_threw{false};
    const int count = refused([&](auto attempt) {
      ao::finish([&] {
        f1.set(ao::async_future([&, attempt] {
          const ao::future<void> f4 = ao::async_future([&] {
            const ao::future<void> outer = f1.wait();
            try {
              outer.get();
            } catch (const std::runtime_error&) {
              stranger_threw = true;
            }
          });
          std::this_thread::sleep_for(std::chrono::microseconds(round * 20));
          attempt([&] { f4.get(); });
        }));
      });
    });
    EXPECT_EQ(count + (stranger_threw ? 1 : 0), 1);
    if (GetParam().policy != ao::join_policy::cycle) {
      EXPECT_TRUE(stranger_threw);
    }
  }
}

// f=future{finish{async{get f}}}
TEST_P(Joins, TheEndOfAFinishClosesACycle) {
  for (int round = 0; round != 20; ++round) {
    Shared<void> f;
    const int count = refused([&](auto attempt) {
      ao::finish([&] {
        f.set(ao::async_future([&, attempt] {
          ao::finish([&] {
            for (int i = 0; i != 3; ++i) {
              ao::async([&, attempt] {
                const ao::future<void> outer = f.wait();
                attempt([&] { outer.get(); });
              });
            }
          });
        }));
      });
    });
    EXPECT_EQ(count, 3);
  }
}

// g=future{h=future{}}; finish{async{get g}}; get h
TEST_P(Joins, KnowledgePassesTheEndOfAFinish) {
  Shared<int> h;
  const ao::future<void> g = ao::async_future([&] { h.set(ao::async_future([] { return 5; })); });
  ao::finish([&] { ao::async([&] { g.get(); }); });
  EXPECT_EQ(h.wait().get(), 5);
}

TEST_P(Joins, IndexesOfALoopKnowWhatTheLoopKnew) {
  const ao::future<int> before = ao::async_future([] { return 1; });
  std::vector<ao::future<int>> made(100);
  ao::forall(0, 100, [&](int i) {
    made[static_cast<std::size_t>(i)] = ao::async_future([=] { return before.get() + i; });
  });
  for (int i = 0; i != 100; ++i) EXPECT_EQ(made[static_cast<std::size_t>(i)].get(), i + 1);
}

// Whichever piece of the loop an index runs in.
TEST_P(Joins, IndexesOfALoopAreStrangers) {
  if (!strict()) GTEST_SKIP() << "only there it shows";
  std::vector<Shared<int>> made(200);
  std::atomic<int> refused{0};
  ao::forall(0, 200, [&](int i) {
    made[static_cast<std::size_t>(i)].set(ao::async_future([=] { return i; }));
    if (i == 0) return;
    const ao::future<int> other = made[0].wait();
    try {
      other.get();
    } catch (const ao::unknown_join_error&) {
      ++refused;
    }
  });
  EXPECT_EQ(refused, 199);
}

TEST_P(Joins, TheExceptionTellsTheCycle) {
  if (strict()) GTEST_SKIP() << "it looks for no cycle";
  std::optional<ao::deadlock_error> caught;
  unsigned line = 0;
  Shared<void> self;
  ao::finish([&] {
    self.set(ao::async_future([&] {
      const ao::future<void> own = self.wait();
      try {
        line = __LINE__ + 1;
        own.get();
      } catch (const ao::deadlock_error& error) {
        caught.emplace(error);
      }
    }));
  });
  ASSERT_TRUE(caught);
  ASSERT_EQ(caught->cycle().size(), 1U);
  const ao::waiting_task& task = caught->cycle().front();
  EXPECT_EQ(task.waits_at.line, line);
  EXPECT_LT(task.created_at.line, line);
  EXPECT_EQ(std::string(task.waits_at.file), __FILE__);
  EXPECT_FALSE(task.at_end_of_finish);
  EXPECT_EQ(std::string(caught->what()).find(std::string(__FILE__) + ":" + std::to_string(line) + ": "), 0U)
      << caught->what();
}

TEST_P(Joins, UncaughtItReachesTheFinish) {
  Shared<void> self;
  const auto run = [&] { ao::finish([&] { self.set(ao::async_future([&] { self.wait().get(); })); }); };
  if (strict()) {
    EXPECT_THROW(run(), ao::unknown_join_error);
  } else {
    EXPECT_THROW(run(), ao::deadlock_error);
  }
}

// Handles that are older than the policy are of ended tasks.
TEST_P(Joins, HandlesOutliveAPolicy) {
  const ao::future<int> old = ao::async_future([] { return 3; });
  EXPECT_EQ(old.get(), 3);
  for (const ao::join_policy next :
       {ao::join_policy::off, ao::join_policy::known_vc, ao::join_policy::strict}) {
    ao::configure({ao::executor::parallel, 2, 0, next});
    EXPECT_EQ(ao::async_future([old] { return old.get(); }).get(), 3);
  }
}

// A serial run has no cycles, but knows what it does not know.
TEST(SerialJoins, UnknownJoinsAreThoseOfAParallelRun) {
  const ao::options before = ao::configuration();
  for (const ao::join_policy policy :
       {ao::join_policy::known, ao::join_policy::cycle, ao::join_policy::strict}) {
    ao::configure({ao::executor::serial, 1, 0, policy});
    EXPECT_EQ(ao::async_future([] { return ao::async_future([] { return 4; }); }).get().get(), 4);
    Shared<int> made;
    const auto run = [&] {
      ao::finish([&] {
        ao::async([&] { made.set(ao::async_future([] { return 5; })); });
        ao::async([&] { EXPECT_EQ(made.wait().get(), 5); });
      });
    };
    if (policy == ao::join_policy::strict) {
      EXPECT_THROW(run(), ao::unknown_join_error);
    } else {
      run();
    }
  }
  ao::configure(before);
}

}  // namespace
