// Which bag a task is in, event by event; and what a task takes.
#include "detect/esp_bags/bags.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <malloc.h>
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
