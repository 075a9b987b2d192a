// Cycles in the wait-for graph, and which wait of a cycle ends by it.

#include "deadlock/wait_graph.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace anyorder::deadlock {
namespace {

void resume(void* strand) { ++*static_cast<std::atomic<int>*>(strand); }

struct Task {
  WaitNode node;
  Wait wait;
  std::atomic<int> resumed{0};
};

class WaitGraphTest : public ::testing::Test {
 protected:
  static void get(WaitGraph& graph, Task& task, Task& target, bool stranger,
                  const void* joined_by = nullptr) {
    enter(graph, task, stranger, joined_by);
    task.wait.target = &target.node;
    graph.enter(task.wait);
  }
  static void end_finish(WaitGraph& graph, Task& task, const void* finish, const void* joined_by = nullptr) {
    enter(graph, task, false, joined_by);
    task.wait.finish = finish;
    graph.enter(task.wait);
  }
  static void stand(WaitGraph& graph, Task& task) {
    graph.stand(task.wait, [] { return false; });
  }

  WaitGraph known{&resume, false};
  Task a, b, c;
  int finish = 0;

 private:
  static void enter(WaitGraph& /*graph*/, Task& task, bool stranger, const void* joined_by) {
    task.wait = {};
    task.wait.waiter = &task.node;
    task.wait.joined_by = joined_by;
    task.wait.is_strangers = stranger;
    task.wait.strand = &task.resumed;
  }
};

TEST_F(WaitGraphTest, WithoutStrangersNothingIsSearched) {
  get(known, a, b, false);
  EXPECT_TRUE(known.may_stand(a.wait));
  get(known, b, c, false);
  EXPECT_TRUE(known.may_stand(b.wait));
  EXPECT_EQ(known.searches(), 0U);
  known.leave(b.wait);
  known.leave(a.wait);
}

TEST_F(WaitGraphTest, TheStrangerThatClosesACycleEnds) {
  get(known, a, b, false);
  ASSERT_TRUE(known.may_stand(a.wait));
  get(known, b, a, true);
  ASSERT_FALSE(known.may_stand(b.wait));
  ASSERT_NE(b.wait.cycle, nullptr);
  ASSERT_EQ(b.wait.cycle->size(), 2U);
  EXPECT_EQ(a.wait.cycle, nullptr);
  EXPECT_EQ(a.resumed + b.resumed, 0);
  known.leave(b.wait);
  known.leave(a.wait);
}

TEST_F(WaitGraphTest, ATaskThatWaitsForItself) {
  get(known, a, a, true);
  EXPECT_FALSE(known.may_stand(a.wait));
  EXPECT_EQ(a.wait.cycle->size(), 1U);
  known.leave(a.wait);
}

// F1=future{F4=future{get F1}; get F4}
TEST_F(WaitGraphTest, AKnownGetThatClosesACycleEndsTheStrangers) {
  get(known, b, a, true);
  ASSERT_TRUE(known.may_stand(b.wait));
  stand(known, b);
  get(known, a, b, false);
  EXPECT_TRUE(known.may_stand(a.wait));
  EXPECT_EQ(b.resumed, 1);
  ASSERT_NE(b.wait.cycle, nullptr);
  EXPECT_EQ(b.wait.cycle->size(), 2U);
  EXPECT_EQ(a.wait.cycle, nullptr);
  known.leave(b.wait);
  known.leave(a.wait);
}

TEST_F(WaitGraphTest, AStrangerThatDoesNotStandYetIsResumedWhenItWould) {
  get(known, b, a, true);
  ASSERT_TRUE(known.may_stand(b.wait));
  get(known, a, b, false);
  EXPECT_TRUE(known.may_stand(a.wait));
  EXPECT_EQ(b.resumed, 0);
  stand(known, b);
  EXPECT_EQ(b.resumed, 1);
  known.leave(b.wait);
  known.leave(a.wait);
}

// f=future{finish{async{get f}}}
TEST_F(WaitGraphTest, TheEndOfAFinishClosesACycle) {
  get(known, b, a, true, &finish);
  ASSERT_TRUE(known.may_stand(b.wait));
  stand(known, b);
  end_finish(known, a, &finish);
  EXPECT_TRUE(known.may_stand(a.wait));
  EXPECT_EQ(b.resumed, 1);
  ASSERT_EQ(b.wait.cycle->size(), 2U);
  EXPECT_TRUE(b.wait.cycle->front().at_end_of_finish);
  known.leave(b.wait);
  known.leave(a.wait);
}

TEST_F(WaitGraphTest, TheEndOfAFinishClosesTwoCycles) {
  get(known, b, a, true, &finish);
  ASSERT_TRUE(known.may_stand(b.wait));
  stand(known, b);
  get(known, c, a, true, &finish);
  ASSERT_TRUE(known.may_stand(c.wait));
  stand(known, c);
  end_finish(known, a, &finish);
  EXPECT_TRUE(known.may_stand(a.wait));
  EXPECT_EQ(b.resumed, 1);
  EXPECT_EQ(c.resumed, 1);
  known.leave(c.wait);
  known.leave(b.wait);
  known.leave(a.wait);
}

TEST_F(WaitGraphTest, AWaitThatEndedByACycleClosesNoOther) {
  get(known, b, a, true);
  ASSERT_TRUE(known.may_stand(b.wait));
  stand(known, b);
  get(known, a, b, false);
  EXPECT_TRUE(known.may_stand(a.wait));  // b is to go on, but has not left
  get(known, c, b, true);
  EXPECT_TRUE(known.may_stand(c.wait));
  EXPECT_EQ(b.resumed, 1);
  known.leave(c.wait);
  known.leave(b.wait);
  known.leave(a.wait);
}

TEST_F(WaitGraphTest, TheEndOfATargetResumesItsStrangers) {
  get(known, a, b, true);
  ASSERT_TRUE(known.may_stand(a.wait));
  stand(known, a);
  known.target_ended(c.node);
  EXPECT_EQ(a.resumed, 0);
  known.target_ended(b.node);
  EXPECT_EQ(a.resumed, 1);
  known.target_ended(b.node);
  EXPECT_EQ(a.resumed, 1);
  known.leave(a.wait);
}

// Rings of waits that enter from several threads at once, one of them a stranger's: of each ring one wait
// ends.
TEST_F(WaitGraphTest, OfARingThatClosesAtOnceOneEnds) {
  constexpr int kRings = 500;
  constexpr unsigned kTasks = 4;
  for (int ring = 0; ring != kRings; ++ring) {
    std::array<Task, kTasks> tasks;
    std::atomic<unsigned> ready{0};
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i != kTasks; ++i) {
        threads.emplace_back([&, i] {
          ++ready;
          while (ready != kTasks) std::this_thread::yield();
          const bool stranger = i % 2 == 0;
          get(known, tasks[i], tasks[(i + 1) % kTasks], stranger);
          if (known.may_stand(tasks[i].wait) && stranger) stand(known, tasks[i]);
        });
      }
    }
    int ended = 0;
    for (Task& task : tasks) {
      if (task.wait.cycle == nullptr) continue;
      ++ended;
      EXPECT_EQ(task.wait.cycle->size(), kTasks);
    }
    EXPECT_EQ(ended, 1);
    for (Task& task : tasks) known.target_ended(task.node);
    for (Task& task : tasks) known.leave(task.wait);
  }
}

}  // namespace
}  // namespace anyorder::deadlock
