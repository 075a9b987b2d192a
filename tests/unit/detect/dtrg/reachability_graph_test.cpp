// Random task operations: what the graph answers, with all that it remembers, is what a search answers that
// remembers nothing and looks at the joins alone. Tasks wait for futures that they know of by what precedes
// them: else answers depend on what was asked before.
#include "detect/dtrg/reachability_graph.hpp"

#include <cstddef>
#include <deque>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace anyorder::detect::dtrg {
namespace {

// Algorithm 10 from the other end: all sets that lead to `later`.
class Search {
 public:
  Search(ReachabilityGraph& graph, TaskId later) : graph_(graph) {
    climb(graph.find(later), graph.find(later));
    while (!ahead_.empty()) {
      const TaskId set = ahead_.back();
      ahead_.pop_back();
      if (!reached_.insert(set).second) continue;
      climb(set, graph_.find(later));
    }
  }
  [[nodiscard]] bool finds(TaskId earlier, TaskId later) const {
    const Label sought = graph_.label(graph_.find(earlier));
    if (sought.subsumes(graph_.label(graph_.find(later)))) return true;
    for (const TaskId set : reached_) {
      const Label label = graph_.label(set);
      if (sought.pre <= label.pre && label.pre <= sought.post) return true;
    }
    return false;
  }

 private:
  // The joins of a set, and of its significant ancestors.
  void climb(TaskId set, TaskId later) {
    for (TaskId at = set;;) {
      for (const TaskId source : graph_.non_tree_predecessors(at)) {
        const TaskId other = graph_.find(source);
        if (other != at && other != later && !graph_.runs(other)) ahead_.push_back(other);
      }
      const TaskId above = graph_.lowest_significant_ancestor(at);
      if (above == kNoTask) break;
      at = graph_.find(above);
      if (set != later && graph_.runs(at)) break;
    }
  }

  ReachabilityGraph& graph_;
  std::vector<TaskId> ahead_;
  std::set<TaskId> reached_;
};

struct Shape {
  unsigned operations;
  std::size_t depth;
  unsigned gets;  // in percent of the operations
  unsigned ends;
};

class RandomOperations {
 public:
  RandomOperations(unsigned seed, const Shape& shape) : random_(seed), shape_(shape) {
    running_.push_back(graph_.begin_root());
    finishes_.push_back({running_.back(), {}});
    known_by_.emplace_back();
    is_future_.push_back(false);
  }

  void run() {
    for (unsigned i = 0; i < shape_.operations; ++i) {
      step();
      compare();
      if (testing::Test::HasFailure()) return;
    }
  }

  unsigned positive = 0;
  unsigned negative = 0;

 private:
  using Handles = std::set<TaskId>;
  struct Finish {
    TaskId owner;
    std::vector<TaskId> joins;
  };
  struct Past {
    TaskId running;
    ReachabilityGraph::Moment at;
    std::vector<bool> preceded;  // of each task
  };

  unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }

  void step() {
    const TaskId task = running_.back();
    Handles& known = known_by_[task];
    const unsigned dice = below(100);
    if (dice < shape_.gets && !known.empty()) {
      const TaskId future = *std::next(known.begin(), below(known.size()));
      graph_.get(task, future);
      known.insert(known_by_[future].begin(), known_by_[future].end());
    } else if (dice < shape_.gets + shape_.ends) {
      if (finishes_.back().owner == task && finishes_.size() > 1) {
        for (const TaskId joined : finishes_.back().joins) {
          graph_.join(task, joined, joined + 1);
          known.insert(known_by_[joined].begin(), known_by_[joined].end());
        }
        finishes_.pop_back();
      } else if (running_.size() > 1) {
        preceded_end_of_[task] = that_precede(task);
        graph_.end(task);
        running_.pop_back();
        if (is_future_[task]) known_by_[running_.back()].insert(task);
      }
    } else if (dice % 4 == 0) {
      finishes_.push_back({task, {}});
    } else if (running_.size() < shape_.depth) {
      const TaskKind kind = dice % 4 == 1 ? TaskKind::async : TaskKind::future;
      const TaskId child = graph_.create(task, kind, 0);
      finishes_.back().joins.push_back(child);
      running_.push_back(child);
      known_by_.push_back(known);
      is_future_.push_back(kind == TaskKind::future);
    }
  }

  void compare() {
    const TaskId running = running_.back();
    const Search search(graph_, running);
    // Not about each task each time, so that what is remembered differs.
    for (unsigned i = 0; i < 3; ++i) {
      const TaskId earlier = below(graph_.task_count());
      const bool expected = search.finds(earlier, running);
      ASSERT_EQ(graph_.precedes(earlier, running), expected) << earlier << " and " << running;
      ++(expected ? positive : negative);
    }
    const TaskId earlier = below(graph_.task_count());
    const TaskId later = below(graph_.task_count());
    if (graph_.runs(later)) {
      const bool found = Search(graph_, later).finds(earlier, later);
      ASSERT_EQ(graph_.precedes_end_of(earlier, later), found) << earlier << " and the end of " << later;
    } else {
      const std::vector<bool>& preceded = preceded_end_of_[later];
      ASSERT_EQ(graph_.precedes_end_of(earlier, later), earlier < preceded.size() && preceded[earlier])
          << earlier << " and the end of " << later;
    }
    compare_past(running);
  }

  std::vector<bool> that_precede(TaskId running) {
    std::vector<bool> preceding;
    for (TaskId task = 0; task != graph_.task_count(); ++task) {
      preceding.push_back(graph_.precedes(task, running));
    }
    return preceding;
  }

  // What the graph answered at a moment it answers later, too, when asked about that moment; what came later
  // did not precede.
  void compare_past(TaskId running) {
    if (below(8) == 0) {
      const ReachabilityGraph::Moment at = graph_.moment();
      pasts_.push_back({running, at, that_precede(running)});
    }
    if (pasts_.empty()) return;
    const Past& past = pasts_[below(pasts_.size())];
    const TaskId earlier = below(graph_.task_count());
    ASSERT_EQ(graph_.precedes_at(earlier, past.running, past.at),
              earlier < past.preceded.size() && past.preceded[earlier])
        << earlier << " and " << past.running << " at " << past.at;
  }

  std::mt19937 random_;
  Shape shape_;
  ReachabilityGraph graph_;
  std::vector<TaskId> running_;
  std::vector<Finish> finishes_;
  std::deque<Handles> known_by_;  // of each task: the futures it may wait for, or might when it ended
  std::vector<bool> is_future_;
  std::vector<Past> pasts_;
  std::map<TaskId, std::vector<bool>> preceded_end_of_;
};

void compare_many(const Shape& shape, unsigned seeds) {
  unsigned positive = 0;
  unsigned negative = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomOperations operations(seed, shape);
    operations.run();
    if (testing::Test::HasFailure()) return;
    positive += operations.positive;
    negative += operations.negative;
  }
  // Both answers are put to the test.
  EXPECT_GT(positive, negative / 20);
  EXPECT_GT(negative, positive / 20);
}

TEST(ReachabilityGraph, AnswersAsASearchDoesInShallowTrees) {
  compare_many({.operations = 200, .depth = 4, .gets = 30, .ends = 40}, 500);
}
TEST(ReachabilityGraph, AnswersAsASearchDoesInDeepTrees) {
  compare_many({.operations = 400, .depth = 60, .gets = 30, .ends = 28}, 300);
}
TEST(ReachabilityGraph, AnswersAsASearchDoesWithManyGets) {
  compare_many({.operations = 300, .depth = 12, .gets = 60, .ends = 18}, 300);
}

}  // namespace
}  // namespace anyorder::detect::dtrg
