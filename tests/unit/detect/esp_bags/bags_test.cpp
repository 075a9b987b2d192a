// Which bag a task is in, event by event; and what a task takes.
#include "detect/esp_bags/bags.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <malloc.h>
#include <random>
#include <utility>
#include <vector>

#include "support/sanitizers.hpp"

namespace anyorder::detect::esp_bags {
namespace {

using history::Relation;

TaskId async(Bags& bags, TaskId parent) { return bags.create(parent, events::TaskKind::async, 0); }

TEST(Bags, ATaskThatRunsAndItsAncestorsAreInSBags) {
  Bags bags;
  const TaskId root = bags.begin_root();
  const TaskId outer = async(bags, root);
  const TaskId inner = async(bags, outer);
  EXPECT_TRUE(bags.is_in_s_bag(root));
  EXPECT_TRUE(bags.is_in_s_bag(outer));
  EXPECT_TRUE(bags.is_in_s_bag(inner));
}

TEST(Bags, ATaskThatEndedIsInThePBagUntilItsFinishEnds) {
  Bags bags;
  const TaskId root = bags.begin_root();
  const TaskId task = async(bags, root);
  bags.end(task);
  EXPECT_EQ(bags.relation_of(task), Relation::stands);
  EXPECT_FALSE(bags.is_over(task));
  bags.join(root, task, task + 1);
  EXPECT_EQ(bags.relation_of(task), Relation::precedes);
  EXPECT_TRUE(bags.is_over(task));
}

TEST(Bags, WhatATaskJoinedGoesWithIt) {
  Bags bags;
  const TaskId root = bags.begin_root();
  const TaskId owner = async(bags, root);
  const TaskId joined = async(bags, owner);
  bags.end(joined);
  bags.join(owner, joined, joined + 1);
  EXPECT_TRUE(bags.is_in_s_bag(joined));
  bags.end(owner);
  EXPECT_FALSE(bags.is_in_s_bag(joined));
  EXPECT_FALSE(bags.is_in_s_bag(owner));
  const TaskId sibling = async(bags, root);
  EXPECT_FALSE(bags.is_in_s_bag(joined));
  bags.end(sibling);
  bags.join(root, owner, owner + 1);
  bags.join(root, sibling, sibling + 1);
  EXPECT_TRUE(bags.is_in_s_bag(joined));
}

TEST(Bags, ATaskThatOutlivesItsParentStaysInThePBag) {
  Bags bags;
  const TaskId root = bags.begin_root();
  const TaskId parent = async(bags, root);
  const TaskId child = async(bags, parent);  // its IEF is the root's
  bags.end(child);
  EXPECT_FALSE(bags.is_in_s_bag(child));
  bags.end(parent);
  EXPECT_FALSE(bags.is_in_s_bag(child));
  EXPECT_FALSE(bags.is_in_s_bag(parent));
}

TEST(Bags, PrecedesTheEndOfAnotherTask) {
  Bags bags;
  const TaskId root = bags.begin_root();
  const TaskId owner = async(bags, root);
  const TaskId joined = async(bags, owner);
  bags.end(joined);
  bags.join(owner, joined, joined + 1);
  const TaskId later = async(bags, owner);
  bags.end(later);
  bags.end(owner);
  const TaskId sibling = async(bags, root);
  bags.end(sibling);
  EXPECT_TRUE(bags.precedes_end_of(joined, owner));
  EXPECT_TRUE(bags.precedes_end_of(joined, later));
  EXPECT_TRUE(bags.precedes_end_of(root, sibling));
  EXPECT_FALSE(bags.precedes_end_of(later, owner));
  EXPECT_FALSE(bags.precedes_end_of(owner, sibling));
  EXPECT_FALSE(bags.precedes_end_of(sibling, owner));
}

// Random task operations: what precedes at a moment is what a later question about that moment finds.
TEST(Bags, RememberWhatPrecededAtAMoment) {
  struct Past {
    TaskId running;
    Bags::Moment at;
    std::vector<bool> preceded;  // of each task
  };
  struct Finish {
    TaskId owner;
    std::vector<TaskId> joins;
  };
  unsigned positive = 0;
  unsigned negative = 0;
  for (unsigned seed = 0; seed != 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t bound) { return static_cast<unsigned>(random() % bound); };
    Bags bags;
    std::vector<TaskId> running{bags.begin_root()};
    std::vector<Finish> finishes{{running.back(), {}}};
    std::vector<Past> pasts;
    for (int i = 0; i != 200; ++i) {
      const TaskId task = running.back();
      const unsigned dice = below(10);
      if (dice < 4) {
        running.push_back(async(bags, task));
        finishes.back().joins.push_back(running.back());
      } else if (dice == 4) {
        finishes.push_back({task, {}});
      } else if (finishes.size() > 1 && finishes.back().owner == task) {
        for (const TaskId joined : finishes.back().joins) bags.join(task, joined, joined + 1);
        finishes.pop_back();
      } else if (running.size() > 1) {
        bags.end(task);
        running.pop_back();
      }
      if (below(8) == 0) {
        Past past{running.back(), bags.moment(), {}};
        for (TaskId other = 0; other != bags.task_count(); ++other) {
          past.preceded.push_back(bags.is_in_s_bag(other));
        }
        pasts.push_back(std::move(past));
      }
      if (pasts.empty()) continue;
      const Past& past = pasts[below(pasts.size())];
      const TaskId earlier = below(bags.task_count());
      const bool expected = earlier < past.preceded.size() && past.preceded[earlier];
      ASSERT_EQ(bags.precedes_at(earlier, past.running, past.at), expected)
          << "seed " << seed << ": " << earlier << " and " << past.running;
      ++(expected ? positive : negative);
    }
  }
  EXPECT_GT(positive, negative / 20);
  EXPECT_GT(negative, positive / 20);
}

TEST(Bags, AFurtherRootIsUnordered) {
  Bags bags;
  const TaskId first = bags.begin_root();
  bags.end(first);
  const TaskId second = bags.begin_root();
  EXPECT_FALSE(bags.is_in_s_bag(first));
  EXPECT_TRUE(bags.is_in_s_bag(second));
  EXPECT_FALSE(bags.precedes_end_of(first, second));
}

TEST(Bags, AMillionNestedFinishesAreFoundWithoutRecursion) {
  constexpr TaskId kDepth = 1'000'000;
  Bags bags;
  TaskId task = bags.begin_root();
  for (TaskId i = 0; i != kDepth; ++i) task = async(bags, task);
  // Each is joined by its parent, so that the sets become one chain.
  for (; task != history::kRoot; --task) {
    bags.end(task);
    bags.join(task - 1, task, task + 1);
  }
  EXPECT_TRUE(bags.is_over(kDepth));
  EXPECT_TRUE(bags.is_over(kDepth / 2));
}

std::size_t bytes_in_use() {
  const struct mallinfo2 now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

TEST(Bags, ATaskTakesTwelveBytes) {
  if (ANYORDER_TSAN || ANYORDER_ASAN) GTEST_SKIP() << "a sanitizer has an allocator of its own";
  constexpr TaskId kTasks = 12'500'000;
  const std::size_t before = bytes_in_use();
  Bags bags;
  const TaskId root = bags.begin_root();
  for (TaskId i = 0; i != kTasks; ++i) bags.end(async(bags, root));
  const std::size_t bytes = bytes_in_use() - before;
  EXPECT_LT(bytes, kTasks * std::size_t{121} / 10);
  EXPECT_GT(bytes, kTasks * std::size_t{12});
  EXPECT_EQ(bags.relation_of(kTasks), Relation::stands);
  bags.join(root, 1, kTasks + 1);
  EXPECT_TRUE(bags.is_over(1));
  EXPECT_TRUE(bags.is_over(kTasks));
}

}  // namespace
}  // namespace anyorder::detect::esp_bags
