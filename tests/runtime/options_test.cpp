// The options in force, and changing them.

#include <atomic>
#include <thread>

#include "executors.hpp"

namespace {

class Options : public ::testing::Test {
 protected:
  void TearDown() override { ao::configure(before_); }

 private:
  ao::options before_ = ao::configuration();
};

int tasks_run(int count) {
  std::atomic<int> ran{0};
  ao::finish([&] {
    for (int i = 0; i != count; ++i) ao::async([&] { ++ran; });
  });
  return ran;
}

TEST_F(Options, AreWhatWasConfigured) {
  ao::configure({ao::executor::serial, 3, std::size_t{8} << 20});
  EXPECT_EQ(ao::configuration().run, ao::executor::serial);
  EXPECT_EQ(ao::configuration().workers, 3U);
  EXPECT_EQ(ao::configuration().serial_stack, std::size_t{8} << 20);
}

TEST_F(Options, HaveDefaults) {
  ao::configure({});
  EXPECT_EQ(ao::configuration().run, ao::executor::parallel);
  EXPECT_GE(ao::configuration().workers, 1U);
  EXPECT_LE(ao::configuration().workers, std::thread::hardware_concurrency());
  EXPECT_EQ(ao::configuration().serial_stack, std::size_t{1} << 30);
}

TEST_F(Options, ChangeTheNumberOfWorkersAgainAndAgain) {
  for (unsigned i = 0; i != 60; ++i) {
    const unsigned workers = 1 + (i * 7) % 16;
    ao::configure({ao::executor::parallel, workers, 0});
    ASSERT_EQ(ao::configuration().workers, workers);
    ASSERT_EQ(tasks_run(200), 200);
  }
}

TEST_F(Options, SwitchBetweenTheExecutors) {
  const auto main_thread = std::this_thread::get_id();
  for (int i = 0; i != 50; ++i) {
    ao::configure({ao::executor::serial, 0, static_cast<std::size_t>(1 + i % 3) << 20});
    std::atomic<int> elsewhere{0};
    ao::forall(0, 100, [&](int /*i*/) { elsewhere += std::this_thread::get_id() != main_thread ? 1 : 0; });
    ASSERT_EQ(elsewhere, 0);
    ASSERT_EQ(tasks_run(100), 100);
    ao::configure({ao::executor::parallel, 1U + static_cast<unsigned>(i) % 8U, 0});
    ASSERT_EQ(tasks_run(100), 100);
  }
}

TEST_F(Options, OneWorkerIsOneThread) {
  ao::configure({ao::executor::parallel, 1, 0});
  const auto main_thread = std::this_thread::get_id();
  std::atomic<int> elsewhere{0};
  ao::forall(0, 5000, [&](int /*i*/) { elsewhere += std::this_thread::get_id() != main_thread ? 1 : 0; });
  EXPECT_EQ(elsewhere, 0);
}

// Tasks that wait for each other by spinning need as many threads as was said.
TEST_F(Options, ThereAreAsManyWorkersAsWasSaid) {
  for (const int workers : {2, 5, 8}) {
    ao::configure({ao::executor::parallel, static_cast<unsigned>(workers), 0});
    std::atomic<int> here{0};
    ao::finish([&] {
      for (int i = 0; i != workers; ++i) {
        ao::async([&, workers] {
          ++here;
          while (here < workers) std::this_thread::yield();
        });
      }
    });
    EXPECT_EQ(here, workers);
  }
}

TEST_F(Options, StayWhenATaskIsAlive) {
  ao::configure({ao::executor::parallel, 2, 0});
  std::thread([] {
    std::atomic<bool> go{false};
    ao::async([&] {
      while (!go) std::this_thread::yield();
    });
    EXPECT_THROW(ao::configure({ao::executor::serial, 0, 0}), ao::usage_error);
    go = true;
    // `go` is used until the task has ended: a finish does not wait for it, but its thread's end would be
    // too late.
    const auto wait = [] {
      try {
        ao::configure({ao::executor::parallel, 2, 0});
        return true;
      } catch (const ao::usage_error&) {
        return false;
      }
    };
    while (!wait()) std::this_thread::yield();
  }).join();
}

}  // namespace
