// The worked examples of DTRG: Figures 1, 2 and 3, and Table 1 by value.
//
// The programs of Figures 2 and 3 are pictures there; these have the tasks, steps and edges that the text and
// the table name, with the steps numbered in the order in which the serial run comes to them.
#include <algorithm>
#include <gtest/gtest.h>
#include <initializer_list>
#include <vector>

#include "detect/dtrg/reachability_graph.hpp"
#include "run.hpp"

namespace anyorder::detect::dtrg {
namespace {

using Graph = ReachabilityGraph;
constexpr std::uint32_t kMaxInt = Graph::kMaxLabel;

TaskId future_of(Graph& graph, TaskId parent) { return graph.create(parent, TaskKind::future, 0); }

// Whether all of the tasks, and no other of the two lists, precede the one that runs.
void expect_precede(Graph& graph, std::initializer_list<TaskId> those,
                    std::initializer_list<TaskId> not_those) {
  for (const TaskId task : those) EXPECT_TRUE(graph.precedes(task, graph.running())) << "task " << task;
  for (const TaskId task : not_those) EXPECT_FALSE(graph.precedes(task, graph.running())) << "task " << task;
}

TEST(Figure1, StatementsAreOrderedByGets) {
  Graph graph;
  const TaskId main = graph.begin_root();
  const TaskId a = future_of(graph, main);
  graph.end(a);
  const TaskId b = future_of(graph, main);
  expect_precede(graph, {main}, {a});  // Stmt3
  EXPECT_EQ(graph.get(b, a), Join::non_tree);
  expect_precede(graph, {main, a}, {});  // Stmt4
  graph.end(b);
  const TaskId c = future_of(graph, main);
  expect_precede(graph, {main}, {a, b});  // Stmt6
  EXPECT_EQ(graph.get(c, a), Join::non_tree);
  expect_precede(graph, {main, a}, {b});  // Stmt7
  EXPECT_EQ(graph.get(c, b), Join::non_tree);
  expect_precede(graph, {main, a, b}, {});
  graph.end(c);
  expect_precede(graph, {main}, {a, b, c});  // Stmt8
  EXPECT_EQ(graph.get(main, a), Join::tree);
  expect_precede(graph, {main, a}, {b, c});  // Stmt9
  EXPECT_EQ(graph.get(main, c), Join::tree);
  expect_precede(graph, {main, a, b, c}, {});  // Stmt10: b through c
}

TEST(Figure2, HasATreeJoinAndANonTreeJoin) {
  Graph graph;
  const TaskId main = graph.begin_root();   // S1
  const TaskId a = future_of(graph, main);  // S2
  const TaskId b = future_of(graph, a);     // S3
  graph.end(b);
  expect_precede(graph, {a}, {b});          // S4
  EXPECT_EQ(graph.get(a, b), Join::tree);   // S3 → S5
  expect_precede(graph, {a, b}, {});        // S5
  graph.end(a);                             // S6 in main
  const TaskId c = future_of(graph, main);  // S7
  expect_precede(graph, {main}, {a, b});
  EXPECT_EQ(graph.get(c, a), Join::non_tree);  // S5 → S8
  expect_precede(graph, {main, a, b}, {});     // S8
  graph.end(c);                                // S9 in main
  const TaskId d = future_of(graph, main);     // S10
  expect_precede(graph, {main}, {a, b, c});    // S2 ∥ S10
  graph.end(d);
  expect_precede(graph, {main}, {a, b, c, d});  // S11
  EXPECT_EQ(graph.get(main, c), Join::tree);
  expect_precede(graph, {main, a, b, c}, {d});  // S12: S2 ≺ S12
}

struct Row {
  TaskId set;
  Label label;
  std::vector<TaskId> nt;
  TaskId lsa;
};

void expect_rows(Graph& graph, const std::vector<Row>& rows) {
  for (TaskId task = 0; task != rows.size(); ++task) {
    const Row& row = rows[task];
    EXPECT_EQ(graph.find(task), row.set) << "task " << task;
    EXPECT_EQ(graph.label(task), row.label)
        << "task " << task << ": [" << graph.label(task).pre << ", " << graph.label(task).post << "]";
    std::vector<TaskId> nt = graph.non_tree_predecessors(task);
    std::sort(nt.begin(), nt.end());
    EXPECT_EQ(nt, row.nt) << "task " << task;
    EXPECT_EQ(graph.lowest_significant_ancestor(task), row.lsa) << "task " << task;
  }
}

TEST(Figure3, HasTheGraphOfTable1) {
  Graph graph;
  const TaskId t0 = graph.begin_root();
  const TaskId t1 = future_of(graph, t0);  // step 2
  graph.end(t1);
  const TaskId t2 = future_of(graph, t0);  // step 4
  graph.end(t2);
  const TaskId t3 = future_of(graph, t0);
  expect_precede(graph, {t0}, {t1, t2});
  EXPECT_EQ(graph.get(t3, t2), Join::non_tree);  // edge (4, 6)
  expect_precede(graph, {t0, t2}, {t1});
  const TaskId t4 = future_of(graph, t3);
  graph.end(t4);
  EXPECT_EQ(graph.get(t3, t1), Join::non_tree);  // edge (2, 9)
  const TaskId t5 = future_of(graph, t3);
  const TaskId t6 = future_of(graph, t5);
  // Step 11, in t6: by its lowest significant ancestor, t1 and t2 precede it.
  expect_precede(graph, {t0, t1, t2, t3, t5}, {t4});
  expect_rows(graph, {{t0, {0, kMaxInt}, {}, kNoTask},
                      {t1, {1, 2}, {}, kNoTask},
                      {t2, {3, 4}, {}, kNoTask},
                      {t3, {5, kMaxInt - 1}, {t1, t2}, kNoTask},
                      {t4, {6, 7}, {}, t3},
                      {t5, {8, kMaxInt - 2}, {}, t3},
                      {t6, {9, kMaxInt - 3}, {}, t3}});
  graph.end(t6);
  EXPECT_EQ(graph.get(t5, t6), Join::tree);
  graph.end(t5);
  EXPECT_EQ(graph.get(t3, t4), Join::tree);
  EXPECT_EQ(graph.get(t3, t5), Join::tree);
  graph.end(t3);
  EXPECT_EQ(graph.get(t0, t3), Join::tree);
  // Step 17, in t0.
  expect_precede(graph, {t0, t1, t2, t3, t4, t5, t6}, {});
  EXPECT_EQ(graph.label(graph.find(t6)), (Label{0, kMaxInt}));
  graph.end(t0);
  // The set's row is its representative's; the labels of those that were joined stay theirs.
  expect_rows(graph, {{t0, {0, 13}, {t1, t2}, kNoTask},
                      {t1, {1, 2}, {}, kNoTask},
                      {t2, {3, 4}, {}, kNoTask},
                      {t0, {5, 12}, {}, kNoTask},
                      {t0, {6, 7}, {}, t3},
                      {t0, {8, 11}, {}, t3},
                      {t0, {9, 10}, {}, t3}});
}

}  // namespace
}  // namespace anyorder::detect::dtrg
