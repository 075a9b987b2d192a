// How far queries go: each looks into two sets on average at most, however long the ways are that lead back.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "detect/dtrg/dtrg.hpp"
#include "findings/finding_set.hpp"
#include "run.hpp"

namespace anyorder::detect::dtrg {
namespace {

class QueryLengths : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
    detector_->root_begun(root_, root_finish_);
  }

  void create(void*& future) {
    detector_->task_created(root_, future, root_finish_, events::TaskKind::future, {"a.cpp", "f", 1});
  }
  void end(void*& task) { detector_->task_ended(task); }
  void get(void*& getter, void*& target) { detector_->get_ended(getter, target, {"a.cpp", "f", 1}); }
  void read(void* task, std::uintptr_t word) { detector_->read(task, kMemory + 8 * word, 8, 1); }
  void write(void* task, std::uintptr_t word) { detector_->write(task, kMemory + 8 * word, 8, 2); }

  const support::PowerHistogram& visits() const { return detector_->graph().queries().visits; }
  double visits_per_query() const {
    return static_cast<double>(visits().sum()) / static_cast<double>(visits().count());
  }

  static constexpr std::uintptr_t kMemory = 0x10000;
  findings::FindingSet findings_;
  const std::unique_ptr<Dtrg> detector_ = ANYORDER_TSAN ? nullptr : std::make_unique<Dtrg>(findings_);
  void* root_ = nullptr;
  void* root_finish_ = nullptr;
};

// Smith-Waterman: a tile waits for its neighbours above and to the left. Main waits for the last one only,
// and then reads all of the matrix.
TEST_F(QueryLengths, OfAWavefrontWhoseLastTileIsGot) {
  constexpr std::size_t kTiles = 100;  // in a row, and rows
  constexpr std::size_t kWords = 4;    // of a tile, two by two
  std::vector<void*> tasks(kTiles * kTiles);
  const auto tile = [](std::size_t row, std::size_t column) { return row * kTiles + column; };
  const auto read_words = [&](void*& task, std::size_t from, std::initializer_list<std::size_t> words) {
    get(task, tasks[from]);
    for (const std::size_t word : words) read(task, from * kWords + word);
  };
  for (std::size_t row = 0; row < kTiles; ++row) {
    for (std::size_t column = 0; column < kTiles; ++column) {
      void*& task = tasks[tile(row, column)];
      create(task);
      if (row > 0) read_words(task, tile(row - 1, column), {2, 3});
      if (column > 0) read_words(task, tile(row, column - 1), {1, 3});
      if (row > 0 && column > 0) read_words(task, tile(row - 1, column - 1), {3});
      for (std::size_t word = 0; word < kWords; ++word) write(task, tile(row, column) * kWords + word);
      end(task);
    }
  }
  ASSERT_LE(visits_per_query(), 2.0);
  get(root_, tasks.back());
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    for (std::size_t word = 0; word < kWords; ++word) read(root_, task * kWords + word);
    // Each time, so that a search without memory does not take hours to fail.
    ASSERT_LE(visits_per_query(), 2.0) << "tile " << task;
  }
  EXPECT_EQ(findings_.verdict(), findings::Verdict::clean);
  EXPECT_GE(visits().count(), kTiles * kTiles * kWords);
  // The first read of main looks into all tiles from the last one's neighbour back to the first tile's
  // diagonal neighbour, each once; the others look some of these up, and into the rest.
  EXPECT_EQ(visits().largest(), tile(kTiles - 1, kTiles - 1) - tile(1, 1));
  EXPECT_LT(visits().sum(), kTiles * kTiles);
}

TEST_F(QueryLengths, OfAChainWhoseLastFutureIsGot) {
  constexpr std::size_t kLength = 8000;
  std::vector<void*> tasks(kLength);
  for (std::size_t i = 0; i < kLength; ++i) {
    create(tasks[i]);
    if (i > 0) {
      get(tasks[i], tasks[i - 1]);
      read(tasks[i], i - 1);
    }
    write(tasks[i], i);
    end(tasks[i]);
  }
  get(root_, tasks.back());
  for (std::size_t i = 0; i < kLength; ++i) read(root_, i);
  EXPECT_EQ(findings_.verdict(), findings::Verdict::clean);
  EXPECT_GE(visits().count(), 2 * kLength - 2);
  EXPECT_LE(visits_per_query(), 2.0);
  EXPECT_EQ(visits().largest(), kLength - 2);
}

}  // namespace
}  // namespace anyorder::detect::dtrg
