// The oracle, driven by events that are fed by hand: bytes, reuse of memory, several roots, what a finding
// says.
#include "detect/graph/graph.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "findings/finding_set.hpp"

namespace anyorder::detect::graph {
namespace {

using events::TaskKind;
using findings::Verdict;

class GraphTest : public testing::Test {
 protected:
  GraphTest() { graph_.root_begun(root_, root_finish_); }

  void*& create(void*& parent, std::uint32_t line, TaskKind kind = TaskKind::async) {
    void*& child = slots_.emplace_back();
    graph_.task_created(parent, child, root_finish_, kind, {"a.cpp", "f", line});
    graph_.task_begun(child);
    return child;
  }
  void end(void*& task) { graph_.task_ended(task); }
  std::vector<findings::Race> races() const {
    std::vector<findings::Race> all;
    for (const auto& group : findings_.snapshot().races) {
      all.insert(all.end(), group.races.begin(), group.races.end());
    }
    return all;
  }

  findings::FindingSet findings_;
  Graph graph_{findings_};
  void* root_ = nullptr;
  void* root_finish_ = nullptr;
  std::deque<void*> slots_;
};

TEST_F(GraphTest, SaysWhereBothAccessesAndTheirTasksAre) {
  void*& child = create(root_, 10);
  void*& grandchild = create(child, 20);
  graph_.write(grandchild, 0x100, 4, 0xAAA);
  end(grandchild);
  end(child);
  graph_.read(root_, 0x100, 4, 0xBBB);

  ASSERT_EQ(races().size(), 1U);
  const findings::Race race = races().front();
  EXPECT_EQ(race.address, 0x100U);
  EXPECT_EQ(race.size, 4U);
  EXPECT_EQ(race.kind(), findings::RaceKind::write_read);
  EXPECT_EQ(race.first.site().pc, 0xAAAU);
  EXPECT_EQ(race.second.site().pc, 0xBBBU);
  EXPECT_EQ(race.first.task, 2U);
  EXPECT_EQ(race.second.task, 0U);
  ASSERT_EQ(race.first.created_at.size(), 2U);
  EXPECT_EQ(race.first.created_at.begin()[0].source.line, 20U);
  EXPECT_EQ(race.first.created_at.begin()[1].source.line, 10U);
  EXPECT_TRUE(race.second.created_at.empty());
}

TEST_F(GraphTest, RacesOnTheBytesThatOverlap) {
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 8, 1);
  end(child);
  graph_.write(root_, 0x106, 4, 2);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().address, 0x106U);
  EXPECT_EQ(races().front().size, 2U);
}

TEST_F(GraphTest, ForgottenMemoryIsAnotherLocation) {
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 8, 1);
  end(child);
  graph_.forget(0x102, 4);
  graph_.write(root_, 0x102, 4, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  graph_.write(root_, 0x101, 1, 2);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().address, 0x101U);
}

TEST_F(GraphTest, DecidesAboutForgottenMemoryToo) {
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 1, 1);
  end(child);
  graph_.read(root_, 0x100, 1, 2);
  graph_.forget(0x100, 1);
  const std::vector<Conflict> conflicts = graph_.decide();
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts.front().judgement, Judgement::race);
}

TEST_F(GraphTest, AnAccessOfNoBytesIsNone) {
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 0, 1);
  graph_.write(child, 0x100, 1, 1);
  end(child);
  graph_.write(root_, 0x100, 0, 1);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(GraphTest, AWriteAfterAReadOfTheSameStepCounts) {
  void*& child = create(root_, 1);
  graph_.read(child, 0x100, 1, 1);
  graph_.write(child, 0x100, 1, 2);
  end(child);
  graph_.read(root_, 0x100, 1, 3);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(GraphTest, RootsAreUnorderedUntilOneGetsAFutureOfTheOther) {
  void*& future = create(root_, 1, TaskKind::future);
  graph_.write(future, 0x100, 1, 1);
  end(future);
  void* other = nullptr;
  void* other_finish = nullptr;
  graph_.root_begun(other, other_finish);
  graph_.get_ended(other, future, {"a.cpp", "f", 2});
  graph_.write(other, 0x100, 1, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  graph_.write(root_, 0x200, 1, 3);
  graph_.root_ended(root_, root_finish_);
  graph_.write(other, 0x200, 1, 4);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(GraphTest, AGetThatWasRefusedOrdersNothing) {
  void*& future = create(root_, 1, TaskKind::future);
  graph_.write(future, 0x100, 1, 1);
  graph_.get_ended(root_, future, {"a.cpp", "f", 2});
  graph_.write(root_, 0x100, 1, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(GraphTest, UndecidedNamesTheWayOut) {
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 1, 0xAAA);
  graph_.isolated_entered(child, {}, {"a.cpp", "f", 2});
  graph_.isolated_left(child, {});
  end(child);
  graph_.isolated_entered(root_, {}, {"a.cpp", "f", 3});
  graph_.isolated_left(root_, {});
  graph_.write(root_, 0x100, 1, 0xBBB);
  const auto unsupported = findings_.snapshot().unsupported;
  ASSERT_EQ(unsupported.size(), 1U);
  EXPECT_EQ(unsupported.front().construct, "isolated");
  EXPECT_NE(unsupported.front().why.find("anyorder explore"), std::string::npos);
  EXPECT_EQ(unsupported.front().where.innermost().pc, 0xBBBU);
}

// Tasks side by side access and forget random ranges: a map from each byte to its accesses says the same.
TEST_F(GraphTest, WhatIsDoneToABlockBeforeItsFreeIsPartOfItsDestruction) {
  const int counter = 0;
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 8, 1);
  graph_.write(child, 0x200, 8, 2);
  graph_.release_reference(child, &counter);
  end(child);
  graph_.release_reference(root_, &counter);
  graph_.release_last_reference(root_, &counter);
  graph_.write(root_, 0x100, 8, 3);    // a destructor's
  graph_.write(root_, 0x200, 8, 4);    // of something that stays
  graph_.retire(root_, 0x100, 16, 5);  // the free
  EXPECT_TRUE(races().empty());        // not known yet
  graph_.root_ended(root_, root_finish_);
  ASSERT_EQ(races().size(), 1U);
}

TEST_F(GraphTest, ATaskThatHadAReferenceDropsItAtItsEnd) {
  const int counter = 0;
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 8, 1);
  end(child);
  graph_.begin_destruction(root_, &counter, child);
  graph_.write(root_, 0x100, 8, 2);
  graph_.end_destruction(root_);
  EXPECT_TRUE(races().empty());
  graph_.write(root_, 0x100, 8, 3);
  EXPECT_EQ(races().size(), 1U);
}

TEST_F(GraphTest, TheLastReferenceOrdersTheDestructionAlone) {
  const int counter = 0;
  const int inner = 0;
  void*& child = create(root_, 1);
  graph_.write(child, 0x100, 1, 1);  // the shared object, what it owns, and something else
  graph_.release_reference(child, &inner);
  graph_.write(child, 0x200, 1, 2);
  graph_.release_reference(child, &counter);
  graph_.write(child, 0x300, 1, 3);
  end(child);

  graph_.begin_destruction(root_, &counter);
  graph_.write(root_, 0x200, 1, 4);
  graph_.begin_destruction(root_, &inner);
  graph_.write(root_, 0x100, 1, 5);
  graph_.end_destruction(root_);
  graph_.write(root_, 0x200, 1, 6);
  EXPECT_TRUE(races().empty());
  graph_.write(root_, 0x300, 1, 7);  // done after the drop: in the destruction, too, it is not ordered
  EXPECT_EQ(races().size(), 1U);
  graph_.end_destruction(root_);
  graph_.write(root_, 0x100, 1, 8);
  EXPECT_EQ(races().size(), 2U);
  // What the destruction did precedes what its task creates afterwards.
  void*& later = create(root_, 2);
  graph_.write(later, 0x200, 1, 9);
  EXPECT_EQ(races().size(), 3U);  // but not what the other task did before it dropped its reference
}

TEST(GraphBytes, AreExact) {
  struct ByteAccess {
    int task;
    bool is_write;
  };
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    findings::FindingSet findings;
    Graph graph(findings);
    void* root = nullptr;
    void* finish = nullptr;
    graph.root_begun(root, finish);
    std::vector<std::vector<ByteAccess>> bytes(48);
    std::set<std::uintptr_t> expected;
    for (int task = 0; task < 6; ++task) {
      void* child = nullptr;
      graph.task_created(root, child, finish, TaskKind::async, {});
      for (int i = 0; i < 3; ++i) {
        const std::uintptr_t begin = random() % 40;
        const std::size_t size = 1 + random() % 8;
        const unsigned what = random() % 4;
        if (what == 0) graph.forget(begin, size);
        if (what == 1) graph.write(child, begin, size, 1);
        if (what >= 2) graph.read(child, begin, size, 2);
        for (std::uintptr_t at = begin; at < begin + size; ++at) {
          if (what == 0) bytes[at].clear();
          for (const ByteAccess& other : bytes[at]) {
            if (what != 0 && other.task != task && (other.is_write || what == 1)) expected.insert(at);
          }
          if (what != 0) bytes[at].push_back({task, what == 1});
        }
      }
      graph.task_ended(child);
    }
    std::set<std::uintptr_t> found;
    for (const auto& group : findings.snapshot().races) {
      for (const auto& race : group.races) {
        for (std::uint64_t i = 0; i < race.size; ++i) found.insert(race.address + i);
      }
    }
    ASSERT_EQ(found, expected) << "seed " << seed;
  }
}

TEST(GraphDepth, TakesNoNativeStack) {
  findings::FindingSet findings;
  Graph graph(findings);
  std::deque<void*> slots(20000);
  void* finish = nullptr;
  graph.root_begun(slots[0], finish);
  for (std::size_t i = 1; i < slots.size(); ++i) {
    graph.task_created(slots[i - 1], slots[i], finish, TaskKind::async, {"a.cpp", "f", 1});
    graph.write(slots[i - 1], i, 1, 1);
  }
  graph.write(slots.back(), 1, 1, 2);
  for (std::size_t i = slots.size() - 1; i > 0; --i) graph.task_ended(slots[i]);
  EXPECT_EQ(findings.verdict(), Verdict::race);
}

TEST(RunningPastsTest, ALimitCostsTimeOnly) {
  ComputationGraph graph;
  RunningPasts pasts(graph, 0);
  const TaskId task = graph.add_task({TaskKind::root, kNoTask, {}});
  StepId last = graph.add_step(task, kNoSection, {}, {});
  for (int i = 0; i < 200; ++i) {
    const StepId next = graph.add_step(task, kNoSection, {}, {{last, EdgeKind::continues}});
    EXPECT_TRUE(pasts.precedes(0, task, next, Along::structure));
    EXPECT_TRUE(pasts.precedes(last, task, next, Along::all_edges));
    EXPECT_FALSE(pasts.precedes(next, task, next, Along::structure));
    last = next;
  }
}

// Threads of the program are roots, and call at the same time.
TEST(GraphThreads, MayCallAtOnce) {
  findings::FindingSet findings;
  Graph graph(findings);
  const auto work = [&](std::uintptr_t own) {
    void* root = nullptr;
    void* finish = nullptr;
    graph.root_begun(root, finish);
    for (std::uintptr_t i = 0; i < 200; ++i) {
      void* child = nullptr;
      graph.task_created(root, child, finish, TaskKind::async, {"a.cpp", "f", 1});
      graph.write(child, own + i, 1, 1);
      graph.task_ended(child);
    }
    graph.write(root, 0x1, 1, own);
    graph.root_ended(root, finish);
  };
  std::thread other(work, 0x10000);
  work(0x20000);
  other.join();
  EXPECT_EQ(findings.snapshot().race_count(), 1U);
}

}  // namespace
}  // namespace anyorder::detect::graph
