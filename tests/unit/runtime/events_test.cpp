// The events of small programs: exactly, under the serial executor; by their rules, in parallel.

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "recorder.hpp"

namespace anyorder::runtime {
namespace {

using Lines = std::vector<std::string>;

std::string at(int line) { return " at " + std::to_string(line); }

class SerialEvents : public ::testing::Test {
 protected:
  void SetUp() override { configure({executor::serial, 1, 0}); }
  void TearDown() override { configure({}); }

  // What the program does between its root's begin and end.
  template <class Program>
  Lines events_of(Program program) {
    Recorder recorder;
    record(recorder, program);
    EXPECT_EQ(recorder.broken_rules(), Lines{});
    Lines lines = recorder.lines();
    EXPECT_GE(lines.size(), 2U);
    if (lines.size() < 2) return lines;
    EXPECT_EQ(lines.front(), "root 1 begun in finish 1");
    EXPECT_EQ(lines.back(), "root 1 ended in finish 1");
    return {lines.begin() + 1, lines.end() - 1};
  }
};

TEST_F(SerialEvents, OfAsyncAndFinish) {
  int line = 0;
  const Lines events = events_of([&] {
    line = __LINE__;
    finish([] { async([] { async([] {}); }); });
  });
  EXPECT_EQ(events, (Lines{
                        "task 1 opens finish 2" + at(line + 1),
                        "task 1 creates async 2 in finish 2" + at(line + 1),
                        "task 2 begun",
                        "task 2 creates async 3 in finish 2" + at(line + 1),
                        "task 3 begun",
                        "task 3 ended",
                        "task 3 forgotten",
                        "task 2 resumed",
                        "task 2 ended",
                        "task 2 forgotten",
                        "task 1 resumed",
                        "task 1 ends finish 2",
                    }));
}

TEST_F(SerialEvents, OfAnAsyncInTheImplicitFinish) {
  int line = 0;
  const Lines events = events_of([&] {
    line = __LINE__;
    async([] { finish([] {}); });
  });
  EXPECT_EQ(events, (Lines{
                        "task 1 creates async 2 in finish 1" + at(line + 1),
                        "task 2 begun",
                        "task 2 opens finish 2" + at(line + 1),
                        "task 2 ends finish 2",
                        "task 2 ended",
                        "task 2 forgotten",
                        "task 1 resumed",
                    }));
}

TEST_F(SerialEvents, OfAFutureAndItsGets) {
  int line = 0;
  const Lines events = events_of([&] {
    line = __LINE__;
    auto f = async_future([] { return 1; });
    async([f] { static_cast<void>(f.get()); });
    static_cast<void>(f.get());
    f = {};
    finish([] {});
  });
  EXPECT_EQ(events, (Lines{
                        "task 1 creates future 2 in finish 1" + at(line + 1),
                        "task 2 begun",
                        "task 2 ended",
                        "task 1 resumed",
                        "task 1 creates async 3 in finish 1" + at(line + 2),
                        "task 3 begun",
                        "task 3 gets 2" + at(line + 2),
                        "task 3 has got 2" + at(line + 2),
                        "task 3 ended",
                        "task 3 forgotten",
                        "task 1 resumed",
                        "task 1 gets 2" + at(line + 3),
                        "task 1 has got 2" + at(line + 3),
                        "task 2 forgotten",
                        "task 1 opens finish 2" + at(line + 5),
                        "task 1 ends finish 2",
                    }));
}

TEST_F(SerialEvents, OfAFailedFutureAndTask) {
  int line = 0;
  const Lines events = events_of([&] {
    line = __LINE__;
    const auto f = async_future([] { throw 1; });
    EXPECT_THROW(f.get(), int);
    EXPECT_THROW(finish([] { async([] { throw 2; }); }), int);
  });
  EXPECT_EQ(events, (Lines{
                        "task 1 creates future 2 in finish 1" + at(line + 1),
                        "task 2 begun",
                        "task 2 ended",
                        "task 1 resumed",
                        "task 1 gets 2" + at(line + 2),
                        "task 1 has got 2" + at(line + 2),
                        "task 1 opens finish 2" + at(line + 3),
                        "task 1 creates async 3 in finish 2" + at(line + 3),
                        "task 3 begun",
                        "task 3 ended",
                        "task 3 forgotten",
                        "task 1 resumed",
                        "task 1 ends finish 2",
                        "task 2 forgotten",
                    }));
}

TEST_F(SerialEvents, OfIsolated) {
  int line = 0;
  int x = 0;
  const Lines events = events_of([&] {
    line = __LINE__;
    isolated([&] { ++x; });
    isolated(&x, &line, [&] { ++x; });
    async([&] { EXPECT_THROW(isolated(&x, [] { throw 1; }), int); });
  });
  EXPECT_EQ(events, (Lines{
                        "task 1 enters isolated on 0" + at(line + 1),
                        "task 1 leaves isolated on 0",
                        "task 1 enters isolated on 2" + at(line + 2),
                        "task 1 leaves isolated on 2",
                        "task 1 creates async 2 in finish 1" + at(line + 3),
                        "task 2 begun",
                        "task 2 enters isolated on 1" + at(line + 3),
                        "task 2 leaves isolated on 1",
                        "task 2 ended",
                        "task 2 forgotten",
                        "task 1 resumed",
                    }));
}

TEST_F(SerialEvents, OfALoopAreThoseOfItsIndexes) {
  int line = 0;
  const Lines events = events_of([&] {
    line = __LINE__;
    forall(0, 2, [](int i) {
      if (i == 1) finish([] {});
    });
    forasync(5, 6, [](int /*i*/) {});
  });
  EXPECT_EQ(events, (Lines{
                        "task 1 opens finish 2" + at(line + 1),
                        "task 1 creates async 2 in finish 2" + at(line + 1),
                        "task 2 begun",
                        "task 2 ended",
                        "task 2 forgotten",
                        "task 1 resumed",
                        "task 1 creates async 3 in finish 2" + at(line + 1),
                        "task 3 begun",
                        "task 3 opens finish 3" + at(line + 2),
                        "task 3 ends finish 3",
                        "task 3 ended",
                        "task 3 forgotten",
                        "task 1 resumed",
                        "task 1 ends finish 2",
                        "task 1 creates async 4 in finish 1" + at(line + 4),
                        "task 4 begun",
                        "task 4 ended",
                        "task 4 forgotten",
                        "task 1 resumed",
                    }));
}

TEST_F(SerialEvents, NameFileAndFunction) {
  Recorder recorder;
  record(recorder, [] { async([] {}); });
  EXPECT_EQ(recorder.last_file(), __FILE__);
  EXPECT_NE(recorder.last_function(), "");
}

class ParallelEvents : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { configure({executor::parallel, GetParam(), 0}); }
  void TearDown() override { configure({}); }
};
INSTANTIATE_TEST_SUITE_P(Workers, ParallelEvents, ::testing::Values(1U, 2U, 8U));

int mixed(int depth) {
  if (depth == 0) {
    isolated([] { std::this_thread::yield(); });
    return 1;
  }
  int in_async = 0;
  const auto a = async_future([depth] { return mixed(depth - 1); });
  const auto b = async_future([a, depth] { return a.get() + mixed(depth - 1); });
  finish([&] {
    async([&] { in_async = b.get(); });
    forasync(0, 3, [&](int i) {
      if (i == 1) static_cast<void>(a.get());
    });
  });
  return b.get() + in_async;
}

TEST_P(ParallelEvents, KeepTheirRules) {
  for (int round = 0; round != 5; ++round) {
    Recorder recorder;
    record(recorder, [] {
      finish([] { static_cast<void>(mixed(4)); });
      async([] { static_cast<void>(mixed(2)); });
    });
    ASSERT_EQ(recorder.broken_rules(), Lines{});
    const Lines lines = recorder.lines();
    ASSERT_EQ(lines.front(), "root 1 begun in finish 1");
    ASSERT_EQ(lines.back(), "root 1 ended in finish 1");
    // mixed(d) makes 6 tasks itself: 2 futures, an async, 3 indexes; and calls mixed(d - 1) twice.
    ASSERT_EQ(recorder.tasks(), 1U + 15U * 6U + 1U + 3U * 6U);
    ASSERT_EQ(
        static_cast<std::size_t>(std::count_if(
            lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with(" begun"); })),
        recorder.tasks() - 1);
    ASSERT_TRUE(recorder.all_forgotten()) << "every handle is gone";
  }
}

TEST_P(ParallelEvents, KeepTheirRulesWhenManyWait) {
  Recorder recorder;
  record(recorder, [] {
    finish([] {
      const auto slow = async_future([] {
        for (int i = 0; i != 50; ++i) std::this_thread::yield();
        return 1;
      });
      forasync(0, 200, [slow](int /*i*/) { static_cast<void>(slow.get()); });
      auto last = slow;
      for (int i = 0; i != 100; ++i) last = async_future([last] { return last.get(); });
    });
  });
  EXPECT_EQ(recorder.broken_rules(), Lines{});
  EXPECT_EQ(recorder.tasks(), 1U + 1U + 200U + 100U);
  EXPECT_TRUE(recorder.all_forgotten()) << "every handle is gone";
}

TEST_P(ParallelEvents, KeepTheirRulesWithSeveralRoots) {
  Recorder recorder;
  record(recorder, [] {
    std::vector<std::thread> threads;
    for (int t = 0; t != 4; ++t) {
      threads.emplace_back([] { finish([] { static_cast<void>(mixed(2)); }); });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(recorder.broken_rules(), Lines{});
  EXPECT_EQ(recorder.tasks(), 4U * (1U + 3U * 6U));
  EXPECT_TRUE(recorder.all_forgotten()) << "every handle is gone";
}

}  // namespace
}  // namespace anyorder::runtime
