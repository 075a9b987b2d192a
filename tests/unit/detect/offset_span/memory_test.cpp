// What labels need: the nesting, and not how many loops there were before.
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "detect/offset_span/known_partings.hpp"
#include "detect/offset_span/labels.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::offset_span {
namespace {

constexpr int kLoops = ANYORDER_ASAN || ANYORDER_TSAN ? 100'000 : 1'000'000;

class LabelMemory : public testing::Test {
 protected:
  // Each of the tasks makes an access that a cell keeps.
  StepId keep(Strand* task) {
    labels_.place(task, stock_);
    return labels_.keep_step_of(task, stock_);
  }
  StepId loop(Strand* owner, int tasks) {
    StepId last = kNoStep;
    Strand* const finish = labels_.begin_finish(owner, stock_);
    for (int i = 0; i != tasks; ++i) {
      Strand* const task = labels_.create_async(owner, 1, stock_);
      last = keep(task);
      labels_.forget(task, stock_);
    }
    labels_.end_finish(owner, finish, stock_);
    return last;
  }
  [[nodiscard]] bool precedes(StepId id, Strand* task) {
    labels_.place(task, stock_);
    return labels_.precedes(labels_.step(id), Labels::position_of(task), known_);
  }
  [[nodiscard]] bool parallel(StepId id, Strand* task) {
    labels_.place(task, stock_);
    return labels_.relation(labels_.step(id), Labels::position_of(task), known_).parallel;
  }

  Labels labels_;
  Labels::Stock stock_;
  KnownPartings known_;
};

TEST_F(LabelMemory, DoesNotGrowWithLoopsInARow) {
  Strand* const root = labels_.begin_root(stock_);
  const StepId before = keep(root);
  for (int i = 0; i != kLoops; ++i) {
    const StepId last = loop(root, 4);
    if (i % 1000 == 0) {
      ASSERT_TRUE(precedes(last, root) && precedes(before, root));
    }
    static_cast<void>(keep(root));
  }
  EXPECT_LT(labels_.size().bytes, 100'000U);
}

TEST_F(LabelMemory, DoesNotGrowWithLoopsInAFinish) {
  Strand* const root = labels_.begin_root(stock_);
  static_cast<void>(labels_.begin_finish(root, stock_));
  static_cast<void>(labels_.begin_finish(root, stock_));
  for (int i = 0; i != kLoops / 4; ++i) {
    const StepId last = loop(root, 4);
    if (i % 1000 == 0) {
      ASSERT_TRUE(precedes(last, root));
    }
  }
  EXPECT_LT(labels_.size().bytes, 100'000U);
}

// In a branch of a loop that goes on; what is left of a record is 8 bytes for each 32 pairs and 128 steps.
TEST_F(LabelMemory, HardlyGrowsWithLoopsInABranch) {
  Strand* const root = labels_.begin_root(stock_);
  static_cast<void>(labels_.begin_finish(root, stock_));
  Strand* const branch = labels_.create_async(root, 1, stock_);
  Strand* const other = labels_.create_async(root, 1, stock_);
  std::vector<StepId> some;
  for (int i = 0; i != kLoops; ++i) {
    const StepId last = loop(branch, 4);
    static_cast<void>(keep(branch));
    if (i % (kLoops / 100) == kLoops / 200) some.push_back(last);
  }
  for (const StepId id : some) {
    ASSERT_TRUE(precedes(id, branch));
    ASSERT_TRUE(parallel(id, other));
    // The task is over, and the one that waited for it stands for it.
    ASSERT_EQ(labels_.task_of(labels_.step(id)), labels_.number_of(branch, stock_));
  }
  EXPECT_LT(labels_.size().bytes, 100'000U + static_cast<std::uint64_t>(kLoops) * 2);
}

// Of two branches that one thread runs in turns.
TEST_F(LabelMemory, HardlyGrowsWithLoopsInBranchesInTurns) {
  Strand* const root = labels_.begin_root(stock_);
  static_cast<void>(labels_.begin_finish(root, stock_));
  Strand* const branches[] = {labels_.create_async(root, 1, stock_), labels_.create_async(root, 1, stock_),
                              labels_.create_async(root, 1, stock_)};
  for (int i = 0; i != kLoops / 4; ++i) {
    for (Strand* const branch : branches) {
      const StepId last = loop(branch, 2);
      if (i % 10'000 == 0) {
        for (Strand* const each : branches) ASSERT_EQ(precedes(last, each), each == branch);
      }
    }
  }
  EXPECT_LT(labels_.size().bytes, 100'000U + static_cast<std::uint64_t>(kLoops) * 2);
}

TEST_F(LabelMemory, GrowsWithTheNesting) {
  constexpr std::uint64_t kLevels = 1000;
  Strand* task = labels_.begin_root(stock_);
  std::vector<StepId> left;
  std::vector<StepId> way{keep(task)};
  for (std::uint64_t level = 0; level != kLevels; ++level) {
    static_cast<void>(labels_.begin_finish(task, stock_));
    left.push_back(keep(labels_.create_async(task, 1, stock_)));
    task = labels_.create_async(task, 1, stock_);
    way.push_back(keep(task));
  }
  EXPECT_EQ(labels_.pair(Labels::position_of(task).pair).depth, kLevels + 1);
  for (const StepId id : way) EXPECT_TRUE(precedes(id, task));
  for (const StepId id : left) EXPECT_TRUE(parallel(id, task));
  // Two tasks and a finish for each level.
  EXPECT_LT(labels_.size().bytes,
            50'000U + kLevels * (3 * sizeof(Strand) + 2 * (sizeof(Pair) + sizeof(Step))));
}

// Nothing recurses.
TEST_F(LabelMemory, OfAMillionNestedTasksIsThere) {
  constexpr std::uint32_t kLevels = ANYORDER_ASAN || ANYORDER_TSAN ? 100'000 : 1'000'000;
  Strand* task = labels_.begin_root(stock_);
  const StepId first = keep(task);
  for (std::uint32_t i = 0; i != kLevels; ++i) task = labels_.create_async(task, 1, stock_);
  EXPECT_TRUE(precedes(first, task));
  EXPECT_EQ(labels_.pair(Labels::position_of(task).pair).depth, kLevels + 1);
}

}  // namespace
}  // namespace anyorder::detect::offset_span
