// The rules of Known Joins: the paper's examples by value, and random traces against Figure 2.

#include <gtest/gtest.h>
#include <random>

#include "deadlock/snapshot_sets.hpp"
#include "deadlock/vector_clocks.hpp"
#include "trace.hpp"

namespace anyorder::deadlock {
namespace {

using test::Figure2;
using test::Implementation;
using test::KnowledgeMap;
using test::Name;

template <class Rules>
class KnownJoins : public ::testing::Test {
 protected:
  Rules rules;
};
using AllRules = ::testing::Types<Figure2, Implementation<SnapshotSets>, Implementation<VectorClocks>>;
TYPED_TEST_SUITE(KnownJoins, AllRules);

// Examples 1 and 3: the trace of Listing 2.1, with the knowledge after each action.
TYPED_TEST(KnownJoins, Example1And3) {
  auto& run = this->rules;
  run.init("f");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {}}}));
  run.fork("f", "g");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {"g"}}, {"g", {}}}));
  run.fork("g", "h");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {"g"}}, {"g", {"h"}}, {"h", {}}}));
  ASSERT_TRUE(run.knows("f", "g"));
  run.join("f", "g");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {"g", "h"}}, {"g", {"h"}}, {"h", {}}}));
  ASSERT_TRUE(run.knows("f", "h"));
  run.join("f", "h");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {"g", "h"}}, {"g", {"h"}}, {"h", {}}}));
}

// Examples 2 and 4: the trace of Listing 2.2. Memory operations change nothing (T-MEM).
TYPED_TEST(KnownJoins, Example2And4) {
  auto& run = this->rules;
  run.init("f");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {}}}));
  run.fork("f", "g");
  EXPECT_EQ(run.map(), (KnowledgeMap{{"f", {"g"}}, {"g", {}}}));
  run.fork("f", "h");
  const KnowledgeMap k2{{"f", {"g", "h"}}, {"g", {}}, {"h", {"g"}}};
  EXPECT_EQ(run.map(), k2);
  EXPECT_FALSE(run.knows("g", "h"));  // (i): rejected
  ASSERT_TRUE(run.knows("h", "g"));   // (ii): safe
  run.join("h", "g");
  EXPECT_EQ(run.map(), k2);
}

// A destructor may create futures when its task has ended and was joined.
TYPED_TEST(KnownJoins, WhatATaskCreatesWhenItWasJoinedIsNotKnown) {
  auto& run = this->rules;
  run.init("f");
  run.fork("f", "g");
  run.fork("g", "h");
  run.join("f", "g");
  run.fork("g", "i");
  run.fork("g", "j");
  EXPECT_EQ(
      run.map(),
      (KnowledgeMap{{"f", {"g", "h"}}, {"g", {"h", "i", "j"}}, {"h", {}}, {"i", {"h"}}, {"j", {"h", "i"}}}));
}

TYPED_TEST(KnownJoins, ATaskDoesNotKnowItself) {
  auto& run = this->rules;
  run.init("main");
  run.fork("main", "f");
  EXPECT_FALSE(run.knows("f", "f"));
}

// F0=future{F1=future{get F0; get F1}}
TYPED_TEST(KnownJoins, AnEndedTargetIsNotKnownBecauseItEnded) {
  auto& run = this->rules;
  run.init("main");
  run.fork("main", "f0");
  run.fork("f0", "f1");
  run.end("f0", 0);
  EXPECT_FALSE(run.knows("f1", "f0"));
  EXPECT_FALSE(run.knows("f1", "f1"));
}

// g=future{h=future{}}; finish{async{get g}}; get h
TYPED_TEST(KnownJoins, KnowledgePassesTheEndOfAFinish) {
  auto& run = this->rules;
  run.init("main");
  run.fork("main", "g");
  run.fork("g", "h");
  run.end("g", 0);
  run.fork("main", "a", false);
  ASSERT_TRUE(run.knows("a", "g"));
  run.join("a", "g");
  EXPECT_TRUE(run.knows("a", "h"));
  EXPECT_FALSE(run.knows("main", "h"));
  run.end("a", 1);
  run.finish_end("main", 1, {"a"});
  EXPECT_TRUE(run.knows("main", "h"));
}

// A random run: tasks fork, get and end in any order; some are joined by a finish. Handles are forgotten.
template <class K>
void expect_same_as_figure_2(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };

  struct Open {
    int finish;
    std::vector<Name> tasks;
    std::size_t alive;
  };
  struct Running {
    Name name;
    int joined_by;
    std::vector<Open> open;
  };
  Figure2 figure;
  Implementation<K> tested;
  std::vector<Running> running{{"0", 0, {}}};
  std::vector<Name> futures;
  std::set<Name> ended;
  int tasks = 1;
  int finishes = 1;
  figure.init("0");
  tested.init("0");
  // The finish with that number, open or not.
  const auto scope = [&](int finish) -> Open* {
    for (Running& task : running) {
      for (Open& open : task.open) {
        if (open.finish == finish) return &open;
      }
    }
    return nullptr;
  };

  const std::size_t steps = 4 + below(60);
  for (std::size_t step = 0; step != steps; ++step) {
    const std::size_t at = below(running.size());
    const Name name = running[at].name;
    switch (below(8)) {
      case 0:
      case 1:
      case 2: {
        const bool is_future = below(4) != 0;
        const int joined_by =
            running[at].open.empty() ? running[at].joined_by : running[at].open.back().finish;
        const Name child = std::to_string(tasks++);
        figure.fork(name, child, is_future);
        tested.fork(name, child, is_future);
        if (is_future) futures.push_back(child);
        if (Open* const open = scope(joined_by)) {
          open->tasks.push_back(child);
          ++open->alive;
        }
        running.push_back({child, joined_by, {}});
        break;
      }
      case 3:
      case 4:
        if (!futures.empty()) {
          const Name& target = futures[below(futures.size())];
          const bool known = figure.knows(name, target);
          ASSERT_EQ(tested.knows(name, target), known)
              << "seed " << seed << ": " << name << " get " << target;
          if (known && ended.contains(target)) {
            figure.join(name, target);
            tested.join(name, target);
          }
        }
        break;
      case 5:
        running[at].open.push_back({finishes++, {}, 0});
        break;
      case 6:
        if (!running[at].open.empty() && running[at].open.back().alive == 0) {
          const Open done = running[at].open.back();
          running[at].open.pop_back();
          figure.finish_end(name, done.finish, done.tasks);
          tested.finish_end(name, done.finish, done.tasks);
        }
        break;
      default:
        if (at != 0 && running[at].open.empty()) {
          const int joined_by = running[at].joined_by;
          if (joined_by != 0) tested.end(name, joined_by);
          running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
          if (Open* const open = scope(joined_by)) --open->alive;
          ended.insert(name);
        } else if (!futures.empty()) {
          const std::size_t gone = below(futures.size());
          if (ended.contains(futures[gone]) && below(2) == 0) {
            tested.forget(futures[gone]);
            futures.erase(futures.begin() + static_cast<std::ptrdiff_t>(gone));
          }
        }
        break;
    }
  }
  for (const Running& task : running) {
    for (const Name& future : futures) {
      ASSERT_EQ(tested.knows(task.name, future), figure.knows(task.name, future))
          << "seed " << seed << ": " << task.name << " knows " << future;
    }
  }
}

template <class K>
class RandomTraces : public ::testing::Test {};
using Implementations = ::testing::Types<SnapshotSets, VectorClocks>;
TYPED_TEST_SUITE(RandomTraces, Implementations);

// More of them: --gtest_filter='RandomTraces*' --gtest_shuffle --gtest_repeat=40
TYPED_TEST(RandomTraces, AgreeWithFigure2) {
  constexpr std::uint64_t kTraces = 5000;
  const auto first = static_cast<std::uint64_t>(::testing::UnitTest::GetInstance()->random_seed()) * kTraces;
  for (std::uint64_t i = 0; i != kTraces && !this->HasFatalFailure(); ++i) {
    expect_same_as_figure_2<TypeParam>(first + i);
  }
}

}  // namespace
}  // namespace anyorder::deadlock
