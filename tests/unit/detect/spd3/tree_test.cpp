#include "detect/spd3/tree.hpp"

#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

#include "detect/spd3/known_branchings.hpp"
#include "detect/spd3/parent_walk.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::spd3 {
namespace {

StepId step_of(Tree& tree, NodeId task, Tree::Stock& stock) {
  tree.refill(stock);
  return tree.keep_step_of(task, stock);
}

// A tree in which tasks create, begin and end finishes at random; deep or broad.
struct RandomTree {
  RandomTree(unsigned seed, unsigned operations, unsigned deep) {
    std::mt19937 random(seed);
    tasks.push_back(tree.begin_root(stock));
    scopes.push_back(tasks.back());
    for (unsigned i = 0; i != operations; ++i) {
      const std::size_t from =
          tasks.size() - 1 - random() % std::min<std::size_t>(tasks.size(), 1 + 40 / deep);
      const NodeId task = tasks[from];
      steps.push_back(step_of(tree, task, stock));
      switch (random() % 4) {
        case 0:
          scopes.push_back(tree.begin_finish(task, stock));
          break;
        case 1:
          if (tree.node(task).scope != task) tree.end_finish(task, tree.node(task).scope, stock);
          break;
        default:
          tasks.push_back(tree.create_async(task, 1, stock));
          scopes.push_back(tasks.back());
          break;
      }
    }
  }
  Tree tree;
  Tree::Stock stock;
  std::vector<NodeId> tasks;
  std::vector<NodeId> scopes;
  std::vector<StepId> steps;
};

TEST(Tree, AnswersAsTheWalkAlongTheParents) {
  for (unsigned seed = 0; seed != 40; ++seed) {
    const RandomTree random(seed, 2000, 1 + seed % 40);
    std::mt19937 choice(seed);
    KnownBranchings known;
    for (int i = 0; i != 4000; ++i) {
      const Step a = random.tree.step(random.steps[choice() % random.steps.size()]);
      const Step b = random.tree.step(random.steps[choice() % random.steps.size()]);
      const Branching expected = branching_by_walk(random.tree, a.scope, b.scope);
      ASSERT_EQ(random.tree.branching(a.scope, b.scope), expected) << a.scope << " " << b.scope;
      ASSERT_EQ(known.of(random.tree, a.scope, b.scope), expected);
      ASSERT_EQ(known.of(random.tree, a.scope, b.scope), expected);  // this time from memory
    }
  }
}

TEST(Tree, RelationsHaveNoDirection) {
  const RandomTree random(7, 300, 3);
  for (const StepId one : random.steps) {
    for (const StepId other : random.steps) {
      const Step a = random.tree.step(one);
      const Step b = random.tree.step(other);
      const Relation ab = relation_of(random.tree.branching(a.scope, b.scope), a.position, b.position);
      const Relation ba = relation_of(random.tree.branching(b.scope, a.scope), b.position, a.position);
      ASSERT_EQ(ab.parallel, ba.parallel);
      ASSERT_EQ(ab.lca_depth, ba.lca_depth);
      const bool same_place = a.scope == b.scope && a.position == b.position;
      ASSERT_EQ(ab.a_is_left, same_place || !ba.a_is_left);
      ASSERT_FALSE(same_place && ab.parallel);
    }
  }
}

TEST(Tree, DifferentRootsAreParallel) {
  Tree tree;
  Tree::Stock stock;
  const NodeId one = tree.begin_root(stock);
  const NodeId other = tree.begin_root(stock);
  const Step a = tree.step(step_of(tree, one, stock));
  const NodeId child = tree.create_async(other, 1, stock);
  const Step b = tree.step(step_of(tree, child, stock));
  EXPECT_TRUE(relation_of(tree.branching(a.scope, b.scope), a.position, b.position).parallel);
}

// The way up is logarithmic: a chain of a million nested tasks, and no recursion.
TEST(Tree, IsDeep) {
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  const std::uint32_t depth = ANYORDER_TSAN ? 100'000 : 1'000'000;
  std::vector<NodeId> left{tree.create_async(root, 1, stock)};
  std::vector<NodeId> right{tree.create_async(root, 1, stock)};
  while (left.size() != depth) {
    left.push_back(tree.create_async(left.back(), 1, stock));
    right.push_back(tree.create_async(right.back(), 1, stock));
  }
  EXPECT_EQ(tree.node(left.back()).depth, depth + 1);
  EXPECT_EQ(tree.branching(left.back(), right.back()), (Branching{1, 1U << 1U | 1U, 2U << 1U | 1U}));
  for (std::uint32_t at = 1; at < depth; at = at * 3 + 1) {
    const NodeId aside = tree.create_async(left[at], 1, stock);
    EXPECT_EQ(tree.branching(left.back(), aside), (Branching{at + 2, 1U << 1U | 1U, 2U << 1U | 1U})) << at;
    EXPECT_EQ(tree.branching(left[at], left.back()), (Branching{at + 2, 0, 1U << 1U | 1U})) << at;
  }
}

// The limit that this folder's README states, with every step of every task kept.
TEST(Tree, TakesAtMost64BytesForATask) {
  constexpr std::uint64_t kTasks = 200'000;
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  const std::uint64_t before = tree.size().bytes();
  for (std::uint64_t i = 0; i != kTasks; ++i) {
    static_cast<void>(step_of(tree, root, stock));
    const NodeId task = tree.create_async(root, 1, stock);
    static_cast<void>(step_of(tree, task, stock));
    tree.forget(task, stock);
  }
  const std::uint64_t bytes = tree.size().bytes() - before;
  EXPECT_LE(bytes, 64 * kTasks);
  EXPECT_EQ((bytes + kTasks / 2) / kTasks, 48U);  // a node, and two steps; in whole blocks
}

TEST(Tree, UsesTheNodesOfTasksAgainThatNobodyRefersTo) {
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  const std::uint64_t before = tree.size().nodes;
  for (int i = 0; i != 100'000; ++i) {
    const NodeId finish = tree.begin_finish(root, stock);
    tree.end_finish(root, finish, stock);
    const NodeId task = tree.create_async(root, 1, stock);
    tree.forget(task, stock);
  }
  EXPECT_LE(tree.size().nodes - before, Arena<Node>::kBlock);

  const NodeId asked = tree.create_async(root, 1, stock);
  static_cast<void>(tree.position_of(asked));
  tree.forget(asked, stock);
  EXPECT_NE(tree.create_async(root, 1, stock), asked);
  const NodeId with_child = tree.create_async(root, 1, stock);
  const NodeId child = tree.create_async(with_child, 1, stock);
  tree.forget(with_child, stock);
  EXPECT_NE(tree.create_async(root, 1, stock), with_child);
  EXPECT_EQ(tree.node(child).parent, with_child);
  const NodeId finish = tree.begin_finish(root, stock);
  static_cast<void>(step_of(tree, root, stock));
  tree.end_finish(root, finish, stock);
  EXPECT_NE(tree.create_async(root, 1, stock), finish);
}

// As many steps as make it worth while, each of a task of its own.
StepId steps_of_tasks(Tree& tree, NodeId creator, Tree::Stock& stock) {
  StepId last = kNoStep;
  for (int i = 0; i != 1000; ++i) last = step_of(tree, tree.create_async(creator, 1, stock), stock);
  return last;
}

TEST(Tree, KnowsWhatPrecedesAllThatComes) {
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  for (int loop = 0; loop != 10; ++loop) {
    const NodeId outer = tree.begin_finish(root, stock);
    const NodeId inner = tree.begin_finish(root, stock);
    const StepId in_inner = steps_of_tasks(tree, root, stock);
    tree.end_finish(root, inner, stock);
    EXPECT_LT(in_inner, tree.past());
    const StepId own = step_of(tree, root, stock);
    EXPECT_GE(own, tree.past());
    const StepId in_outer = steps_of_tasks(tree, root, stock);
    const NodeId task = tree.create_async(root, 1, stock);
    const NodeId nested = tree.begin_finish(task, stock);
    const StepId in_nested = steps_of_tasks(tree, task, stock);
    tree.end_finish(task, nested, stock);
    const NodeId other = tree.begin_finish(root, stock);
    tree.end_finish(root, other, stock);
    // There are tasks around these finishes.
    EXPECT_GE(own, tree.past());
    EXPECT_GE(in_outer, tree.past());
    EXPECT_GE(in_nested, tree.past());
    tree.end_finish(root, outer, stock);
    EXPECT_LT(in_outer, tree.past());
    EXPECT_LT(in_nested, tree.past());
    EXPECT_GE(step_of(tree, root, stock), tree.past());
  }
  // One that no finish of the root waits for.
  const StepId free = steps_of_tasks(tree, root, stock);
  const NodeId finish = tree.begin_finish(root, stock);
  tree.end_finish(root, finish, stock);
  EXPECT_GE(free, tree.past());
}

TEST(Tree, NothingPrecedesAllThatComesWithSeveralRoots) {
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  const auto loop = [&] {
    const NodeId finish = tree.begin_finish(root, stock);
    const StepId step = steps_of_tasks(tree, root, stock);
    tree.end_finish(root, finish, stock);
    return step;
  };
  const StepId before = loop();
  EXPECT_LT(before, tree.past());
  const NodeId other = tree.begin_root(stock);
  EXPECT_GE(before, tree.past());
  EXPECT_GE(loop(), tree.past());
  const NodeId finish = tree.begin_finish(other, stock);
  const StepId step = steps_of_tasks(tree, other, stock);
  tree.end_finish(other, finish, stock);
  EXPECT_GE(step, tree.past());
}

// Loops with so few steps that most of each block would be given up.
TEST(Tree, GivesUpAFourthOfTheStepsAtMost) {
  constexpr std::uint64_t kLoops = 100'000;
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  const std::uint64_t before = tree.size().steps;
  for (std::uint64_t i = 0; i != kLoops; ++i) {
    const NodeId finish = tree.begin_finish(root, stock);
    static_cast<void>(step_of(tree, root, stock));
    tree.end_finish(root, finish, stock);
  }
  EXPECT_LE(tree.size().steps - before, kLoops * 4 / 3 + 512);  // and some blocks
}

// Each thread builds a subtree of its own, all at once, and asks about what the others have built before.
TEST(Tree, IsBuiltByManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 5'000;
  Tree tree;
  Tree::Stock stock;
  const NodeId root = tree.begin_root(stock);
  std::vector<NodeId> tops;
  for (int i = 0; i != kThreads; ++i) tops.push_back(tree.create_async(root, 1, stock));
  std::vector<std::vector<NodeId>> made(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t != kThreads; ++t) {
    threads.emplace_back([&, t] {
      Tree::Stock own;
      NodeId at = tops[t];
      for (int i = 0; i != kTasks; ++i) {
        made[t].push_back(tree.create_async(at, 1, own));
        const NodeId other = tops[(t + 1) % kThreads];
        const auto of_top = [&](NodeId top) { return tree.node(top).rank; };
        if (i % 3 == 0) at = made[t].back();
        ASSERT_EQ(tree.branching(at, other), (Branching{1, of_top(tops[t]), of_top(other)}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t != kThreads; ++t) {
    for (std::size_t i = 0; i < made[t].size(); i += 97) {
      for (int u = 0; u != kThreads; ++u) {
        const NodeId a = made[t][i];
        const NodeId b = made[u][i / 2];
        ASSERT_EQ(tree.branching(a, b), branching_by_walk(tree, a, b));
      }
    }
  }
}

}  // namespace
}  // namespace anyorder::detect::spd3
