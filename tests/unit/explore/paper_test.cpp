// Figures 1 and 2 of the paper, its formula, and its method (every order of isolated sections, one graph for
// each) against brute force and against the search.
#include <gtest/gtest.h>
#include <iostream>
#include <vector>

#include "brute_force.hpp"
#include "explore/search.hpp"
#include "modelled_program.hpp"
#include "paper_graph.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::exploring {
namespace {

using model::Block;
using model::Op;
using model::PaperGraph;

// Figure 1 (b): g := 0; finish { async { isolated skip; g := 2 } isolated { g := 1 } }
Block figure_one() {
  const Block child{{Op::isolated, 0, 0, {}}, {Op::write, 0, 2}};
  return {{Op::write, 0, 0},
          {Op::finish, 0, 0, {{Op::async, 0, 0, child}, {Op::isolated, 0, 0, {{Op::write, 0, 1}}}}}};
}

// The node of a task that is isolated, and the one that follows it.
std::size_t isolated_of(const PaperGraph& graph, std::size_t task) {
  for (std::size_t i = 0; i != graph.nodes.size(); ++i) {
    if (graph.nodes[i].task == task && graph.nodes[i].isolated) return i;
  }
  return graph.nodes.size();
}
std::size_t last_writer_of(const PaperGraph& graph, std::size_t task) {
  std::size_t last = graph.nodes.size();
  for (std::size_t i = 0; i != graph.nodes.size(); ++i) {
    if (graph.nodes[i].task == task && !graph.nodes[i].writes.empty()) last = i;
  }
  return last;
}

TEST(Paper, FigureTwoLeft) {
  const Block program = figure_one();
  const PaperGraph graph(program, {0});  // the parent's section first
  const std::size_t parents = isolated_of(graph, 0);
  const std::size_t childs = isolated_of(graph, 1);
  EXPECT_TRUE(graph.edges.contains({parents, childs}));
  EXPECT_TRUE(graph.precedes(parents, last_writer_of(graph, 1)));
  EXPECT_FALSE(graph.has_race());
  // g := 0, the parent after its post, its section, its end, the join; the child's begin, section, g := 2.
  EXPECT_EQ(graph.nodes.size(), 8U);
  EXPECT_EQ(graph.edges.size(), 9U);
}

TEST(Paper, FigureTwoRight) {
  const Block program = figure_one();
  const PaperGraph graph(program, {1});  // the child's section first
  const std::size_t parents = isolated_of(graph, 0);
  const std::size_t childs = isolated_of(graph, 1);
  EXPECT_TRUE(graph.edges.contains({childs, parents}));
  const std::size_t childs_write = last_writer_of(graph, 1);
  EXPECT_FALSE(graph.precedes(parents, childs_write));
  EXPECT_FALSE(graph.precedes(childs_write, parents));
  EXPECT_TRUE(graph.has_race());
  EXPECT_EQ(graph.nodes.size(), 8U);
  EXPECT_EQ(graph.edges.size(), 9U);
}

TEST(Paper, FigureOneHasTwoOrdersAndTheSearchFindsTheRace) {
  const Block program = figure_one();
  std::vector<bool> races;
  model::for_every_order(program, [&](const PaperGraph& graph) {
    races.push_back(graph.has_race());
    return true;
  });
  EXPECT_EQ(races, (std::vector<bool>{false, true}));
  model::ModelledProgram modelled(program);
  const Result found = Search(modelled).go();
  ASSERT_EQ(found.answer, Answer::race);
  EXPECT_EQ(to_text(found.schedule), "1");
  EXPECT_EQ(Search(modelled).replay(found.schedule).answer, Answer::race);
  EXPECT_EQ(Search(modelled).replay({0}).answer, Answer::proved);
}

// ω(i) ∩ ω(i), where it has to be ω(i) ∩ ρ(j).
TEST(Paper, ThePrintedFormulaGivesFalseAlarms) {
  const Block program{{Op::async, 0, 0, {{Op::write, 0, 1}}}, {Op::write, 1, 1}};
  const PaperGraph graph(program, {});
  EXPECT_FALSE(graph.has_race());
  EXPECT_TRUE(graph.has_race_as_printed());
  EXPECT_FALSE(model::BruteForce::of(program, 1000)->race);
}

TEST(Paper, EveryOrderWithItsGraphGivesTheVerdictOfBruteForce) {
  constexpr std::size_t kPrograms = ANYORDER_ASAN ? 20 : 200;
  constexpr std::uint64_t kMostOrders = 1000;
  std::size_t compared = 0;
  std::uint64_t of_all = 0;
  std::uint64_t of_search = 0;
  for (std::uint64_t seed = 100'000; compared != kPrograms; ++seed) {
    const Block program = model::Generator(seed, {true, false}).program();
    const auto truth = model::BruteForce::of(program, 20'000);
    if (!truth) continue;
    bool race = false;
    bool deadlock = false;
    std::uint64_t left = kMostOrders;
    const std::uint64_t orders = model::for_every_order(program, [&](const PaperGraph& graph) {
      race = race || graph.has_race();
      deadlock = deadlock || graph.deadlock;
      return --left != 0;
    });
    if (left == 0) continue;
    ++compared;
    ASSERT_EQ(race, truth->race) << "seed " << seed << "\n" << to_text(program);
    // Once there is a race, other values may be read than in the orders of sections.
    if (race) continue;
    ASSERT_EQ(deadlock, truth->deadlock) << "seed " << seed << "\n" << to_text(program);
    if (deadlock) continue;
    model::ModelledProgram modelled(program);
    const Result found = Search(modelled).go();
    ASSERT_EQ(found.answer, Answer::proved);
    of_all += orders;
    of_search += found.runs;
  }
  std::cout << compared << " programs; to prove those without a race and a deadlock, " << of_all
            << " orders without a reduction, " << of_search << " by the search: a factor of "
            << static_cast<double>(of_all) / static_cast<double>(of_search) << "\n";
  EXPECT_LT(of_search, of_all);
}

}  // namespace
}  // namespace anyorder::exploring
