// Figures 1 and 2 of the paper: the program, its fork-join graph, and the label of each thread.
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "paper_label.hpp"

namespace anyorder::detect::offset_span {
namespace {

class Figures : public testing::Test {
 protected:
  struct Thread {
    std::string blocks;
    Step step;
  };

  Step at(Strand* task) {
    labels_.place(task, stock_);
    return Labels::position_of(task);
  }
  std::size_t add(std::string blocks, Strand* task) {
    threads_.push_back({std::move(blocks), at(task)});
    return threads_.size() - 1;
  }
  // PARALLEL DO with so many iterations of one block.
  void loop(Strand* owner, int iterations, const char* block) {
    Strand* const finish = labels_.begin_finish(owner, stock_);
    for (int i = 0; i != iterations; ++i) {
      Strand* const task = labels_.create_async(owner, 1, stock_);
      spans_.count(labels_, at(task));
      add(block, task);
    }
    labels_.end_finish(owner, finish, stock_);
  }

  // The program of Figure 1.
  Figures() {
    Strand* const main = labels_.begin_root(stock_);
    add("A", main);
    Strand* const finish = labels_.begin_finish(main, stock_);
    for (int i = 2; i <= 4; ++i) {
      Strand* const task = labels_.create_async(main, 1, stock_);
      spans_.count(labels_, at(task));
      add(i == 2 ? "B" : "B,D", task);
      if (i == 2) {
        loop(task, 2, "C");
        add("D", task);
      }
      loop(task, i, "E");
      add("F", task);
    }
    labels_.end_finish(main, finish, stock_);
    add("G", main);
  }

  Labels labels_{Labels::Limits{.keeps_all = true}};
  Labels::Stock stock_;
  Spans spans_;
  std::vector<Thread> threads_;
};

TEST_F(Figures, TwoTheLabelOfEachThread) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"A", "[0,1]"},           {"B", "[0,1][0,3]"},      {"C", "[0,1][0,3][0,2]"}, {"C", "[0,1][0,3][1,2]"},
      {"D", "[0,1][3,3]"},      {"E", "[0,1][3,3][0,2]"}, {"E", "[0,1][3,3][1,2]"}, {"F", "[0,1][6,3]"},
      {"B,D", "[0,1][1,3]"},    {"E", "[0,1][1,3][0,3]"}, {"E", "[0,1][1,3][1,3]"}, {"E", "[0,1][1,3][2,3]"},
      {"F", "[0,1][4,3]"},      {"B,D", "[0,1][2,3]"},    {"E", "[0,1][2,3][0,4]"}, {"E", "[0,1][2,3][1,4]"},
      {"E", "[0,1][2,3][2,4]"}, {"E", "[0,1][2,3][3,4]"}, {"F", "[0,1][5,3]"},      {"G", "[1,1]"},
  };
  ASSERT_EQ(threads_.size(), expected.size());
  for (std::size_t i = 0; i != expected.size(); ++i) {
    EXPECT_EQ(threads_[i].blocks, expected[i].first) << i;
    EXPECT_EQ(to_string(spans_.label_of(labels_, threads_[i].step)), expected[i].second)
        << threads_[i].blocks << ", thread " << i;
  }
}

// The edges of the graph, thread by thread as they are numbered above; paths along them are what precedes.
TEST_F(Figures, OneTheOrderOfAllPairsOfThreads) {
  const std::vector<std::pair<int, int>> edges{
      {0, 1},   {1, 2},   {1, 3},   {2, 4},   {3, 4},   {4, 5},   {4, 6},   {5, 7},   {6, 7},   {0, 8},
      {8, 9},   {8, 10},  {8, 11},  {9, 12},  {10, 12}, {11, 12}, {0, 13},  {13, 14}, {13, 15}, {13, 16},
      {13, 17}, {14, 18}, {15, 18}, {16, 18}, {17, 18}, {7, 19},  {12, 19}, {18, 19}};
  const std::size_t count = threads_.size();
  std::vector<std::vector<bool>> path(count, std::vector<bool>(count));
  for (const auto& [from, to] : edges)
    path[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] = true;
  for (std::size_t k = 0; k != count; ++k) {
    for (std::size_t i = 0; i != count; ++i) {
      for (std::size_t j = 0; j != count; ++j) path[i][j] = path[i][j] || (path[i][k] && path[k][j]);
    }
  }
  KnownPartings known;
  for (std::size_t i = 0; i != count; ++i) {
    for (std::size_t j = 0; j != count; ++j) {
      const Relation relation = labels_.relation(threads_[i].step, threads_[j].step, known);
      EXPECT_EQ(relation.parallel, i != j && !path[i][j] && !path[j][i]) << i << " and " << j;
      EXPECT_EQ(!relation.parallel && relation.a_is_left, i == j || path[i][j]) << i << " and " << j;
    }
  }
}

}  // namespace
}  // namespace anyorder::detect::offset_span
