// The worked examples of SPD3: Figure 1, the tree node by node and the relation of all pairs of steps; and
// Figure 2, the one pair that Theorem 1 is about, for each kind of node that can stand at A.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "detect/spd3/parent_walk.hpp"
#include "detect/spd3/tree.hpp"

namespace anyorder::detect::spd3 {
namespace {

struct ChildOf {
  NodeId parent;
  std::uint32_t number;
  bool is_async;
  std::uint32_t depth;
  friend bool operator==(const ChildOf&, const ChildOf&) = default;
};
std::ostream& operator<<(std::ostream& out, const ChildOf& child) {
  return out << (child.is_async ? "async" : "finish") << " number " << child.number << " below "
             << child.parent << " at depth " << child.depth;
}
ChildOf place_of(const Tree& tree, NodeId id) {
  const Node& node = tree.node(id);
  return {node.parent, node.rank >> 1U, (node.rank & 1U) != 0, node.depth};
}

bool parallel(const Tree& tree, StepId a, StepId b) {
  const Step& step_a = tree.step(a);
  const Step& step_b = tree.step(b);
  const bool found =
      relation_of(tree.branching(step_a.scope, step_b.scope), step_a.position, step_b.position).parallel;
  EXPECT_EQ(found,
            relation_of(branching_by_walk(tree, step_a.scope, step_b.scope), step_a.position, step_b.position)
                .parallel);
  return found;
}

class Figure1 : public testing::Test {
 protected:
  StepId step_of(NodeId task) {
    tree_.refill(stock_);
    return tree_.keep_step_of(task, stock_);
  }

  // In the order of the text, which is one of those in which it may run.
  Figure1() {
    f1_ = tree_.begin_root(stock_);
    steps_[1] = step_of(f1_);
    a1_ = tree_.create_async(f1_, 1, stock_);
    steps_[2] = step_of(a1_);
    a2_ = tree_.create_async(a1_, 2, stock_);
    steps_[3] = step_of(a2_);
    steps_[4] = step_of(a1_);
    steps_[5] = step_of(f1_);
    a3_ = tree_.create_async(f1_, 3, stock_);
    steps_[6] = step_of(a3_);
  }

  Tree tree_;
  Tree::Stock stock_;
  NodeId f1_;
  NodeId a1_;
  NodeId a2_;
  NodeId a3_;
  StepId steps_[7] = {};
};

TEST_F(Figure1, IsTheTree) {
  EXPECT_EQ(place_of(tree_, f1_), (ChildOf{kTop, 1, true, 1}));  // the implicit finish, and main
  EXPECT_EQ(place_of(tree_, a1_), (ChildOf{f1_, 1, true, 2}));
  EXPECT_EQ(place_of(tree_, a2_), (ChildOf{a1_, 1, true, 3}));
  EXPECT_EQ(place_of(tree_, a3_), (ChildOf{f1_, 2, true, 2}));

  const auto expect_step = [&](int number, NodeId scope, std::uint32_t position) {
    EXPECT_EQ(tree_.step(steps_[number]).scope, scope) << "step" << number;
    EXPECT_EQ(tree_.step(steps_[number]).position, position) << "step" << number;
  };
  expect_step(1, f1_, 0);
  expect_step(2, a1_, 0);
  expect_step(3, a2_, 0);
  expect_step(4, a1_, 1);
  expect_step(5, f1_, 1);
  expect_step(6, a3_, 0);
}

TEST_F(Figure1, TellsWhichStepsMayRunInParallel) {
  static constexpr bool kParallel[7][7] = {
      {},
      //      1      2      3      4      5      6
      {false, false, false, false, false, false, false},
      {false, false, false, false, false, true, true},
      {false, false, false, false, true, true, true},
      {false, false, false, true, false, true, true},
      {false, false, true, true, true, false, false},
      {false, false, true, true, true, false, false},
  };
  for (int a = 1; a != 7; ++a) {
    for (int b = 1; b != 7; ++b) {
      EXPECT_EQ(parallel(tree_, steps_[a], steps_[b]), kParallel[a][b]) << "step" << a << ", step" << b;
    }
  }
}

// The depths of the lowest common ancestors: F1 is at depth 1, A1 at 2.
TEST_F(Figure1, HasItsLowestCommonAncestors) {
  const auto depth = [&](int a, int b) {
    return tree_.branching(tree_.step(steps_[a]).scope, tree_.step(steps_[b]).scope).depth;
  };
  EXPECT_EQ(depth(2, 4), 2U);
  EXPECT_EQ(depth(3, 4), 2U);
  EXPECT_EQ(depth(3, 6), 1U);
  EXPECT_EQ(depth(1, 5), 1U);
  EXPECT_EQ(depth(5, 6), 1U);
}

// S1 below A, S2 to the right of A, at several depths.
TEST(Figure2, TheAncestorBelowTheLowestCommonOneDecides) {
  for (const bool a_is_async : {true, false}) {
    for (int depth1 = 0; depth1 != 5; ++depth1) {
      for (int depth2 = 0; depth2 != 5; ++depth2) {
        Tree tree;
        Tree::Stock stock;
        const auto step_of = [&](NodeId task) {
          tree.refill(stock);
          return tree.keep_step_of(task, stock);
        };
        const NodeId root = tree.begin_root(stock);
        const NodeId finish = a_is_async ? kTop : tree.begin_finish(root, stock);
        NodeId first = a_is_async ? tree.create_async(root, 1, stock) : root;
        for (int i = 0; i != depth1; ++i) {
          // Inside of A anything may stand: it changes nothing.
          if (i % 2 == 0) {
            first = tree.create_async(first, 1, stock);
          } else {
            static_cast<void>(tree.begin_finish(first, stock));
          }
        }
        const StepId s1 = step_of(first);
        if (!a_is_async) {
          while (tree.node(root).scope != finish) tree.end_finish(root, tree.node(root).scope, stock);
          tree.end_finish(root, finish, stock);
        }
        NodeId second = root;
        for (int i = 0; i != depth2; ++i) second = tree.create_async(second, 1, stock);
        const StepId s2 = step_of(second);
        EXPECT_EQ(parallel(tree, s1, s2), a_is_async) << depth1 << " " << depth2;
        EXPECT_EQ(parallel(tree, s2, s1), a_is_async) << depth1 << " " << depth2;
      }
    }
  }
}

}  // namespace
}  // namespace anyorder::detect::spd3
