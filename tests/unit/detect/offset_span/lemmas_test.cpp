// The paper's lemmas on random nests of forks: Lemma 1, the labels of a fork-join graph's source and sink;
// Lemma 2 and Definition 3, what labels say of the order of threads, against paths in the graph. And with
// counts that begin near their ends: there the labels have other pairs than the paper's, and the same order.
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "paper_label.hpp"

namespace anyorder::detect::offset_span {
namespace {

constexpr Labels::Limits kPlain{.keeps_all = true};

// A random fork-join graph, in the order of a serial run.
class Nest {
 public:
  Nest(unsigned seed, const Labels::Limits& limits) : labels_(limits), random_(seed) {
    Strand* const root = labels_.begin_root(stock_);
    const std::size_t source = add(root, {});
    static_cast<void>(body(root, source, 0));
    close();
  }

  struct Fork {
    std::size_t source;
    std::size_t sink;
  };
  [[nodiscard]] const std::vector<Fork>& forks() const { return forks_; }
  [[nodiscard]] std::size_t threads() const { return steps_.size(); }
  [[nodiscard]] bool path(std::size_t from, std::size_t to) const { return before_[to][from]; }
  [[nodiscard]] Step step(std::size_t thread) const { return steps_[thread]; }
  [[nodiscard]] PaperLabel label(std::size_t thread) const {
    return spans_.label_of(labels_, steps_[thread]);
  }
  [[nodiscard]] Relation relation(std::size_t a, std::size_t b) {
    return labels_.relation(steps_[a], steps_[b], known_);
  }

 private:
  using Threads = std::vector<std::size_t>;

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  std::size_t add(Strand* task, Threads after) {
    labels_.place(task, stock_);
    steps_.push_back(Labels::position_of(task));
    after_.push_back(std::move(after));
    return steps_.size() - 1;
  }
  // The last thread.
  std::size_t body(Strand* task, std::size_t first, int level) {
    std::size_t last = first;
    for (unsigned loops = level == 0 ? 3 : below(3); loops != 0 && level < 6 && steps_.size() < 150;
         --loops) {
      const std::size_t source = last;
      Threads ends;
      Strand* const finish = labels_.begin_finish(task, stock_);
      const unsigned span = 1 + below(below(8) == 0 ? 40 : 4);
      for (unsigned i = 0; i != span; ++i) {
        Strand* const child = labels_.create_async(task, 1, stock_);
        const std::size_t begin = add(child, {source});
        spans_.count(labels_, steps_[begin]);
        ends.push_back(body(child, begin, level + 1));
        labels_.forget(child, stock_);
      }
      labels_.end_finish(task, finish, stock_);
      last = add(task, ends);
      forks_.push_back({source, last});
    }
    return last;
  }
  // Threads are numbered in an order that the graph allows.
  void close() {
    before_.assign(steps_.size(), std::vector<bool>(steps_.size()));
    for (std::size_t i = 0; i != steps_.size(); ++i) {
      for (const std::size_t from : after_[i]) {
        before_[i][from] = true;
        for (std::size_t j = 0; j != i; ++j) before_[i][j] = before_[i][j] || before_[from][j];
      }
    }
  }

  Labels labels_;
  Labels::Stock stock_;
  KnownPartings known_;
  Spans spans_;
  std::mt19937 random_;
  std::vector<Step> steps_;
  std::vector<Threads> after_;
  std::vector<std::vector<bool>> before_;
  std::vector<Fork> forks_;
};

TEST(Lemma1, SinkHasTheLabelOfTheSourceButForItsLastOffset) {
  unsigned forks = 0;
  for (unsigned seed = 0; seed != 60; ++seed) {
    const Nest nest(seed, kPlain);
    for (const Nest::Fork& fork : nest.forks()) {
      PaperLabel source = nest.label(fork.source);
      PaperLabel sink = nest.label(fork.sink);
      ASSERT_EQ(source.size(), sink.size());
      const OffsetAndSpan before = source.back();
      const OffsetAndSpan after = sink.back();
      source.pop_back();
      sink.pop_back();
      ASSERT_EQ(source, sink);
      ASSERT_EQ(before.span, after.span);
      ASSERT_EQ(before.offset % before.span, after.offset % after.span);
      ASSERT_EQ(before.offset + before.span, after.offset);
      ++forks;
    }
  }
  EXPECT_GT(forks, 500U);
}

TEST(Lemma2, LabelsTellPaths) {
  unsigned parallel = 0;
  for (unsigned seed = 0; seed != 60; ++seed) {
    Nest nest(seed, kPlain);
    std::vector<PaperLabel> labels;
    for (std::size_t i = 0; i != nest.threads(); ++i) labels.push_back(nest.label(i));
    for (std::size_t i = 0; i != nest.threads(); ++i) {
      for (std::size_t j = 0; j != nest.threads(); ++j) {
        const Relation relation = nest.relation(i, j);
        // The lemma, as printed; and what the detector makes of it.
        ASSERT_EQ(precedes(labels[i], labels[j]), nest.path(i, j))
            << to_string(labels[i]) << to_string(labels[j]);
        ASSERT_EQ(relation.parallel, i != j && !nest.path(i, j) && !nest.path(j, i));
        ASSERT_EQ(!relation.parallel && relation.a_is_left, i == j || nest.path(i, j));
        if (!relation.parallel) continue;
        ++parallel;
        ASSERT_EQ(relation.a_is_left, left_of(labels[i], labels[j]));
        ASSERT_NE(left_of(labels[i], labels[j]), left_of(labels[j], labels[i]));
        // Threads are numbered in the order of a serial run.
        ASSERT_EQ(relation.a_is_left, i < j);
      }
    }
  }
  EXPECT_GT(parallel, 10'000U);
}

// After 2^32 - 1 joins a thread's label is one pair longer, and so on.
TEST(Offsets, DoNotOverflow) {
  constexpr std::uint32_t kMost = ~std::uint32_t{0};
  for (const std::uint32_t left : {1U, 2U, 5U}) {
    for (unsigned seed = 0; seed != 20; ++seed) {
      Nest nest(seed, {.first_joins = kMost - left, .keeps_all = true});
      for (std::size_t i = 0; i != nest.threads(); ++i) {
        for (std::size_t j = 0; j != nest.threads(); ++j) {
          const Relation relation = nest.relation(i, j);
          ASSERT_EQ(relation.parallel, i != j && !nest.path(i, j) && !nest.path(j, i)) << i << " and " << j;
          ASSERT_EQ(!relation.parallel && relation.a_is_left, i == j || nest.path(i, j)) << i << " and " << j;
        }
      }
    }
  }
  Labels labels({.first_joins = kMost - 3});
  Labels::Stock stock;
  Strand* const root = labels.begin_root(stock);
  labels.place(root, stock);
  const Step first = Labels::position_of(root);
  EXPECT_EQ(labels.pair(first.pair).depth, 1U);
  for (int i = 0; i != 9; ++i) labels.end_finish(root, labels.begin_finish(root, stock), stock);
  labels.place(root, stock);
  const Step last = Labels::position_of(root);
  EXPECT_EQ(labels.pair(last.pair).depth, 4U);
  KnownPartings known;
  EXPECT_TRUE(labels.precedes(first, last, known));
  EXPECT_FALSE(labels.precedes(last, first, known));
}

TEST(Indexes, DoNotOverflow) {
  Labels labels({.index = 3});
  Labels::Stock stock;
  KnownPartings known;
  Strand* const root = labels.begin_root(stock);
  Strand* const finish = labels.begin_finish(root, stock);
  std::vector<Step> tasks;
  for (int i = 0; i != 20; ++i) {
    Strand* const task = labels.create_async(root, 1, stock);
    labels.place(task, stock);
    tasks.push_back(Labels::position_of(task));
  }
  labels.end_finish(root, finish, stock);
  labels.place(root, stock);
  for (std::size_t i = 0; i != tasks.size(); ++i) {
    for (std::size_t j = 0; j != tasks.size(); ++j) {
      const Relation relation = labels.relation(tasks[i], tasks[j], known);
      EXPECT_EQ(relation.parallel, i != j);
      EXPECT_EQ(relation.a_is_left, i <= j);
    }
    EXPECT_TRUE(labels.precedes(tasks[i], Labels::position_of(root), known));
  }
}

}  // namespace
}  // namespace anyorder::detect::offset_span
