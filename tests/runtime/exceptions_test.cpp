// Exceptions: where they go, and that no task is lost on the way.

#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "counted.hpp"
#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Exceptions);
// One task waits for another by spinning: with one worker that would not end.
ANYORDER_ON_EXECUTORS(ExceptionsInOrder, kSerial, kParallel2, kParallel8);

struct Failed : std::runtime_error {
  explicit Failed(int n) : std::runtime_error("failed " + std::to_string(n)), number(n) {}
  int number;
};

template <class F>
int failure_of(F&& f) {
  try {
    f();
  } catch (const Failed& e) {
    return e.number;
  }
  return -1;
}

void dawdle() {
  for (int i = 0; i != 20; ++i) std::this_thread::yield();
}

TEST_P(Exceptions, OfATaskReachesItsFinish) {
  EXPECT_EQ(failure_of([] { ao::finish([] { ao::async([] { throw Failed(3); }); }); }), 3);
  EXPECT_EQ(failure_of([] {
              ao::finish([] { ao::async([] { ao::async([] { ao::async([] { throw Failed(4); }); }); }); });
            }),
            4);
}

TEST_P(Exceptions, LeaveEverythingUsable) {
  for (int i = 0; i != 200; ++i) {
    ASSERT_EQ(failure_of([i] { ao::finish([i] { ao::async([i] { throw Failed(i); }); }); }), i);
    int x = 0;
    ao::finish([&] { ao::async([&] { x = 1; }); });
    ASSERT_EQ(x, 1);
  }
}

TEST_P(Exceptions, OfOneTaskDoNotStopTheOthers) {
  std::atomic<int> ran{0};
  const int thrown = failure_of([&] {
    ao::finish([&] {
      for (int i = 0; i != 500; ++i) {
        ao::async([&ran, i] {
          ao::async([&ran] { ++ran; });
          ++ran;
          if (i % 3 == 0) throw Failed(i);
        });
      }
    });
  });
  EXPECT_EQ(ran, 1000);
  EXPECT_EQ(thrown % 3, 0);
}

TEST_P(ExceptionsInOrder, TheFirstOneThatNoGetTookIsThrown) {
  for (int round = 0; round != 20; ++round) {
    ASSERT_EQ(failure_of([] {
                ao::finish([] {
                  const auto taken = ao::async_future([] { throw Failed(1); });
                  EXPECT_EQ(failure_of([&] { taken.get(); }), 1);
                  const auto first = ao::async_future([] { throw Failed(2); });
                  ao::async([first] {
                    while (!first.ready()) std::this_thread::yield();
                    throw Failed(3);
                  });
                });
              }),
              2);
  }
}

TEST_P(Exceptions, OfTheBodyWaitsForTheTasks) {
  std::atomic<int> ran{0};
  EXPECT_EQ(failure_of([&] {
              ao::finish([&] {
                for (int i = 0; i != 100; ++i) {
                  ao::async([&ran] {
                    dawdle();
                    ++ran;
                  });
                }
                throw Failed(8);
              });
            }),
            8);
  EXPECT_EQ(ran, 100);
}

TEST_P(Exceptions, OfBodyAndTaskGiveOneOfThem) {
  const int thrown = failure_of([] {
    ao::finish([] {
      ao::async([] { throw Failed(1); });
      throw Failed(2);
    });
  });
  if (serial()) {
    EXPECT_EQ(thrown, 1) << "the task has failed first";
  } else {
    EXPECT_TRUE(thrown == 1 || thrown == 2) << thrown;
  }
}

TEST_P(Exceptions, PassThroughNestedFinishes) {
  std::atomic<int> ran{0};
  EXPECT_EQ(failure_of([&] {
              ao::finish([&] {
                ao::async([&] { ++ran; });
                ao::finish([&] {
                  ao::async([&] { ++ran; });
                  ao::async([&] {
                    ao::finish([&] {
                      ao::async([&] { ++ran; });
                      ao::async([] { throw Failed(5); });
                    });
                    ADD_FAILURE() << "the inner finish has to throw";
                  });
                });
                ADD_FAILURE() << "the middle finish has to throw";
              });
            }),
            5);
  EXPECT_EQ(ran, 3);
}

TEST_P(Exceptions, CaughtAtAnInnerFinishGoNoFurther) {
  bool caught = false;
  ao::finish([&] {
    try {
      ao::finish([] { ao::async([] { throw Failed(5); }); });
    } catch (const Failed&) {
      caught = true;
    }
  });
  EXPECT_TRUE(caught);
}

TEST_P(Exceptions, OfAFutureReachEachGet) {
  std::atomic<int> caught{0};
  ao::finish([&] {
    const auto f = ao::async_future([]() -> int { throw Failed(6); });
    for (int i = 0; i != 50; ++i) {
      ao::async([&caught, f] {
        for (int k = 0; k != 2; ++k) caught += failure_of([&] { static_cast<void>(f.get()); }) == 6 ? 1 : 0;
      });
    }
    caught += failure_of([&] { static_cast<void>(f.get()); }) == 6 ? 1 : 0;
  });
  EXPECT_EQ(caught, 101);
}

TEST_P(Exceptions, OfAFutureThatNobodyGotReachItsFinish) {
  ao::future<int> f;
  EXPECT_EQ(failure_of([&] { ao::finish([&] { f = ao::async_future([]() -> int { throw Failed(7); }); }); }),
            7);
  EXPECT_EQ(failure_of([&] { static_cast<void>(f.get()); }), 7) << "and a later get as well";
  EXPECT_EQ(failure_of([] { ao::finish([] { ao::async_future([] { throw Failed(8); }); }); }), 8)
      << "also without a handle";
}

TEST_P(Exceptions, OfAFutureThatWasGotDoNotReachItsFinish) {
  int after = 0;
  ao::finish([&] {
    const auto f = ao::async_future([]() -> int { throw Failed(7); });
    EXPECT_EQ(failure_of([&] { static_cast<void>(f.get()); }), 7);
    after = 1;
  });
  EXPECT_EQ(after, 1);
}

TEST_P(Exceptions, OfAFutureThatItsGetterLetsOutReachTheFinishOnce) {
  EXPECT_EQ(failure_of([] {
              ao::finish([] {
                const auto f = ao::async_future([]() -> int { throw Failed(9); });
                ao::async([f] { static_cast<void>(f.get()); });
              });
            }),
            9);
}

TEST_P(Exceptions, TravelAlongAChainOfFutures) {
  ao::finish([] {
    auto last = ao::async_future([]() -> int { throw Failed(10); });
    for (int i = 0; i != 300; ++i) {
      last = ao::async_future([before = last] { return before.get(); });
    }
    EXPECT_EQ(failure_of([&] { static_cast<void>(last.get()); }), 10);
  });
}

TEST_P(Exceptions, OfOneIndexDoNotStopTheOthers) {
  std::vector<int> ran(5000, 0);
  const int thrown = failure_of([&] {
    ao::forall(std::size_t{0}, ran.size(), [&](std::size_t i) {
      ++ran[i];
      if (i % 7 == 0) throw Failed(static_cast<int>(i));
    });
  });
  EXPECT_EQ(thrown % 7, 0);
  for (std::size_t i = 0; i != ran.size(); ++i) ASSERT_EQ(ran[i], 1) << i;
}

TEST_P(Exceptions, AreDestroyedWhenTheyAreDealtWith) {
  std::atomic<int> alive{0};
  for (int round = 0; round != 20; ++round) {
    try {
      ao::finish([&] {
        for (int i = 0; i != 20; ++i) {
          ao::async([&] { throw Counted(alive); });
          ao::async_future([&] { throw Counted(alive); });
        }
        ao::forasync(0, 20, [&](int /*i*/) { throw Counted(alive); });
      });
      ADD_FAILURE();
    } catch (const Counted&) {
      EXPECT_GE(alive, 1);
    }
    ASSERT_EQ(alive, 0) << "in round " << round;
  }
}

// The handler's exception belongs to the task, wherever it goes on.
TEST_P(Exceptions, BeingHandledSurviveAWait) {
  for (int round = 0; round != 5; ++round) {
    std::atomic<int> right{0};
    ao::finish([&] {
      for (int i = 0; i != 100; ++i) {
        ao::async([&right, i] {
          const auto slow = ao::async_future([i] {
            dawdle();
            try {
              throw Failed(-i - 1);
            } catch (const Failed&) {
              dawdle();
            }
            return i;
          });
          try {
            throw Failed(i);
          } catch (const Failed& caught) {
            ao::finish([&] { ao::async([slow] { static_cast<void>(slow.get()); }); });
            const int got = slow.get();
            try {
              throw;
            } catch (const Failed& again) {
              if (got == i && again.number == i && caught.number == i && &again == &caught) ++right;
            }
          }
          if (std::current_exception() != nullptr) right = -1'000'000;
        });
      }
    });
    ASSERT_EQ(right, 100);
  }
}

TEST_P(Exceptions, BeingHandledByManySuspendedTasksAtOnce) {
  std::atomic<int> right{0};
  ao::finish([&] {
    std::atomic<int> waiting{0};
    const auto gate = ao::async_future([&waiting, last = serial()] {
      for (int spins = 0; !last && spins != 200 && waiting != 300; ++spins) std::this_thread::yield();
    });
    ao::finish([&] {
      for (int i = 0; i != 300; ++i) {
        ao::async([&, i] {
          try {
            try {
              throw Failed(i);
            } catch (...) {
              ++waiting;
              gate.get();
              throw;
            }
          } catch (const Failed& e) {
            right += e.number == i ? 1 : 0;
          }
        });
      }
    });
  });
  EXPECT_EQ(right, 300);
}

class WaitsInItsDestructor {
 public:
  WaitsInItsDestructor(ao::future<int> f, std::atomic<int>& right) : f_(std::move(f)), right_(&right) {}
  WaitsInItsDestructor(const WaitsInItsDestructor&) = delete;
  WaitsInItsDestructor& operator=(const WaitsInItsDestructor&) = delete;
  ~WaitsInItsDestructor() {
    const int before = std::uncaught_exceptions();
    static_cast<void>(f_.get());
    ao::finish([] { ao::async([] { dawdle(); }); });
    if (before == 1 && std::uncaught_exceptions() == 1) ++*right_;
  }

 private:
  ao::future<int> f_;
  std::atomic<int>* right_;
};

TEST_P(Exceptions, InFlightAreCountedRightAcrossAWait) {
  std::atomic<int> right{0};
  ao::finish([&] {
    const auto slow = ao::async_future([] {
      dawdle();
      return 1;
    });
    for (int i = 0; i != 200; ++i) {
      ao::async([&right, slow, i] {
        if (std::uncaught_exceptions() != 0 && i < 0) right = -1;
        try {
          const WaitsInItsDestructor waits(slow, right);
          throw Failed(i);
        } catch (const Failed& e) {
          if (e.number != i || std::uncaught_exceptions() != 0) right = -1'000'000;
        }
      });
    }
  });
  EXPECT_EQ(right, 200);
}

// A task is a computation of its own: it must not see what its waiter is handling.
TEST_P(Exceptions, OfTheWaiterAreNotSeenByTheTasksItRuns) {
  std::atomic<int> seen{0};
  ao::finish([&] {
    try {
      throw Failed(1);
    } catch (const Failed&) {
      const auto f = ao::async_future([&] { seen += std::current_exception() != nullptr ? 1 : 0; });
      f.get();
      ao::finish([&] {
        ao::async([&] { seen += std::current_exception() != nullptr ? 1 : 0; });
        ao::forasync(0, 10, [&](int /*i*/) { seen += std::current_exception() != nullptr ? 1 : 0; });
      });
    }
  });
  EXPECT_EQ(seen, 0);
}

}  // namespace
