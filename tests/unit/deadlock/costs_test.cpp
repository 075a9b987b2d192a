// The paper's Table 1 as counted operations, and what is freed when.

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "deadlock/join_tree.hpp"
#include "deadlock/snapshot_sets.hpp"
#include "deadlock/vector_clocks.hpp"
#include "trace.hpp"

namespace anyorder::deadlock {
namespace {

using test::Implementation;

std::string name(const char* prefix, int i) {
  std::string text(prefix);
  return text.append(std::to_string(i));
}

std::size_t blocks_taken = 0;
std::size_t blocks_in_use = 0;

class Costs : public ::testing::Test {
 protected:
  void SetUp() override {
    blocks_taken = blocks_in_use = 0;
    before_ = memory;
    memory = {[](std::size_t bytes) {
                ++blocks_taken;
                ++blocks_in_use;
                return take_from_heap(bytes);
              },
              [](void* block, std::size_t bytes) {
                --blocks_in_use;
                give_back_to_heap(block, bytes);
              }};
  }
  void TearDown() override {
    memory = before_;
    EXPECT_EQ(blocks_in_use, 0U);
  }

  template <class Action>
  static std::size_t blocks_of(Action action) {
    const std::size_t before = blocks_taken;
    action();
    return blocks_taken - before;
  }

 private:
  Memory before_{};
};

// n futures of one task, each of which has created a future itself, so that there is something to learn. The
// blocks and visits of one more fork, join and query, for any n.
TEST_F(Costs, SnapshotSetsForkAndJoinInConstantTime) {
  for (const int n : {10, 100, 1000, 3000}) {
    Implementation<SnapshotSets> run;
    run.init("main");
    for (int i = 0; i != n; ++i) {
      const std::string child = name("f", i);
      run.fork("main", child);
      run.fork(child, name("g", i));
      EXPECT_EQ(run.knows("main", child), true);
      run.join("main", child);
    }
    EXPECT_EQ(blocks_of([&] { run.fork("main", "x"); }), 0U) << n;  // copying the set
    EXPECT_LE(blocks_of([&] { run.fork("x", "y"); }), 1U) << n;     // the first of a set
    EXPECT_EQ(SnapshotSets::visits(run.task("main"), run.task("x")).visits, 1U) << n;
    EXPECT_EQ(blocks_of([&] { run.join("main", "x"); }), 1U) << n;  // the union
    EXPECT_LE(SnapshotSets::visits(run.task("main"), run.task("y")).visits, 2U) << n;
    // The worst query: a stranger.
    run.fork("y", "z");
    const SnapshotSets::Answer stranger = SnapshotSets::visits(run.task("main"), run.task("z"));
    EXPECT_FALSE(stranger.known);
    EXPECT_LE(stranger.visits, static_cast<std::size_t>(n) + 4) << n;
  }
}

// What was learnt by many joins, all of it alive: who joined, and who was born of that task since, finds it
// at once, by the number of the join. Who was born before does not know it.
TEST_F(Costs, WhatWasJoinedLastIsFoundAtOnce) {
  for (const int n : {10, 100, 1000, 3000}) {
    Implementation<SnapshotSets> run;
    run.init("main");
    for (int i = 0; i != n; ++i) {
      run.fork("main", name("f", i));
      run.fork(name("f", i), name("g", i));
    }
    run.fork("main", "early");
    for (int i = 0; i != n / 2; ++i) run.join("main", name("f", i));
    run.fork("main", "middle");
    for (int i = n / 2; i != n; ++i) run.join("main", name("f", i));
    run.fork("main", "late");
    run.fork("late", "later");
    for (const int i : {0, n / 2 - 1, n / 2, n - 1}) {
      SnapshotSets::Task& asked = run.task(name("g", i));
      const auto visits_of = [&](const char* task, bool known) {
        const SnapshotSets::Answer answer = SnapshotSets::visits(run.task(task), asked);
        EXPECT_EQ(answer.known, known) << task << ' ' << i << " of " << n;
        return answer.visits;
      };
      EXPECT_LE(visits_of("main", true), 2U) << n;
      EXPECT_LE(visits_of("late", true), 3U) << n;
      EXPECT_LE(visits_of("later", true), 4U) << n;
      visits_of("middle", i < n / 2);
      visits_of("early", false);
    }
  }
}

// Else one who was born with the first join of that number would seem to know what the second one told.
TEST_F(Costs, NoNumberIsGivenTwice) {
  TimedSet* const kept = TimedSet::make();
  TimedSet* const gone = TimedSet::make();
  for (TimedSet* const set : {kept, gone}) set->add_element();
  JoinNode* list = push_join({gone, 1}, nullptr, push_join({kept, 1}, nullptr, nullptr));
  const std::uint64_t number = list->number;
  EXPECT_EQ(gone->last_join(), number);
  gone->forget_element();
  list = pruned(list);
  ASSERT_EQ(list->length, 1U);
  list = push_join({kept, 1}, nullptr, list);
  EXPECT_GT(list->number, number);
  drop_reference(list);
  kept->forget_element();
  for (TimedSet* const set : {kept, gone}) set->drop_reference();
}

// A million futures of one task, all alive.
TEST_F(Costs, AMillionKnownToOne) {
  std::vector<std::unique_ptr<SnapshotSets::Task>> tasks;
  SnapshotSets::Task main;
  tasks.reserve(1'000'000);
  for (const std::size_t n : {1'000U, 10'000U, 100'000U, 1'000'000U}) {
    while (tasks.size() != n) {
      tasks.push_back(std::make_unique<SnapshotSets::Task>());
      SnapshotSets::fork(main, *tasks.back(), true);
    }
    SnapshotSets::Task child;
    EXPECT_EQ(blocks_of([&] { SnapshotSets::fork(main, child, true); }), 0U) << n;
    for (const std::size_t i : {std::size_t{0}, n / 2, n - 1}) {
      EXPECT_EQ(SnapshotSets::visits(main, *tasks[i]).visits, 1U) << n;
      const SnapshotSets::Answer sibling = SnapshotSets::visits(child, *tasks[i]);
      EXPECT_TRUE(sibling.known);
      EXPECT_EQ(sibling.visits, 2U) << n;
    }
    EXPECT_LE(blocks_of([&] { SnapshotSets::join(main, *tasks[n / 2]); }), 1U) << n;
    child.above = nullptr;  // it goes by itself, here
  }
  for (auto& task : tasks) task->above = nullptr;
}

TEST_F(Costs, VectorClocksForkInLinearSpace) {
  for (const int n : {10, 100, 1000}) {
    Implementation<VectorClocks> run;
    run.init("main");
    for (int i = 0; i != n; ++i) {
      const std::string child = name("f", i);
      run.fork("main", child);
      run.fork(child, name("g", i));
      run.join("main", child);
    }
    run.fork("main", "x");
    EXPECT_EQ(run.task("x").vector.size(), static_cast<std::size_t>(n) + 1);
  }
}

// Each level is joined twice by the next: 2^20 ways, and 20 nodes.
TEST_F(Costs, NothingIsVisitedTwice) {
  constexpr int kLevels = 20;
  Implementation<SnapshotSets> run;
  run.init("main");
  for (int i = 0; i <= kLevels; ++i) {
    for (const char* side : {"a", "b"}) run.fork("main", name(side, i));
  }
  run.fork("a0", "x");
  for (int i = 1; i <= kLevels; ++i) {
    for (const char* side : {"a", "b"}) {
      run.join(name(side, i), name("a", i - 1));
      run.join(name(side, i), name("b", i - 1));
    }
  }
  run.fork("x", "stranger");
  run.join("main", name("a", kLevels));
  const SnapshotSets::Answer answer = SnapshotSets::visits(run.task("main"), run.task("stranger"));
  EXPECT_FALSE(answer.known);
  EXPECT_LE(answer.visits, 5U * kLevels);
  EXPECT_TRUE(run.knows("main", "x"));
}

// A long run in which handles go: what nobody can ask for goes, too.
TEST_F(Costs, WhatNobodyCanAskForIsFreed) {
  Implementation<SnapshotSets> run;
  run.init("main");
  std::size_t most = 0;
  for (int i = 0; i != 10'000; ++i) {
    run.fork("main", "f");
    run.fork("f", "g");
    run.join("main", "f");  // learns of g
    run.forget("g");
    run.forget("f");
    most = std::max(most, blocks_in_use);
  }
  EXPECT_LE(most, 200U);
}

TEST_F(Costs, FinishesLeaveNothingBehind) {
  Implementation<SnapshotSets> run;
  run.init("main");
  std::size_t most = 0;
  for (int i = 0; i != 10'000; ++i) {
    run.fork("main", "a", false);
    run.fork("a", "f");
    run.end("f", i);
    run.end("a", i);
    run.finish_end("main", i, {"a", "f"});
    EXPECT_TRUE(run.knows("main", "f"));
    run.forget("f");
    run.forget("a");
    most = std::max(most, blocks_in_use);
  }
  EXPECT_LE(most, 200U);
}

// Freed in a loop, not by recursion.
TEST_F(Costs, AMillionTasksInAChainAreFreed) {
  constexpr int kTasks = 1'000'000;
  auto* last = new SnapshotSets::Task;
  for (int i = 0; i != kTasks; ++i) {
    auto* const child = new SnapshotSets::Task;
    SnapshotSets::fork(*last, *child, true);
    auto* const next = new SnapshotSets::Task;
    SnapshotSets::fork(*last, *next, true);  // born with `child`
    SnapshotSets::release(last, [](SnapshotSets::Task* gone) { delete gone; });
    SnapshotSets::forget(*child);
    SnapshotSets::release(child, [](SnapshotSets::Task* gone) { delete gone; });
    last = next;
  }
  SnapshotSets::release(last, [](SnapshotSets::Task* gone) { delete gone; });
}

TEST_F(Costs, AMillionJoinsInAChainAreFreed) {
  constexpr int kJoins = 1'000'000;
  TimedSet* const set = TimedSet::make();
  set->add_element();
  JoinNode* list = nullptr;
  for (int i = 0; i != kJoins; ++i) {
    JoinNode* const inner = std::exchange(list, nullptr);
    list = push({set, 1}, inner, i % 2 == 0 ? push({set, 1}, nullptr, nullptr) : nullptr);
    drop_reference(inner);
  }
  drop_reference(list);
  set->forget_element();
  set->drop_reference();
}

}  // namespace
}  // namespace anyorder::deadlock
