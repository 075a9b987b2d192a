// Queries of the reachability graph alone, without accesses: the first one of a task, and those that come
// when it has learned something.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "comparison/statistics.hpp"
#include "detect/dtrg/reachability_graph.hpp"
#include "queries/parts.hpp"

namespace bench {
namespace {

using anyorder::detect::dtrg::ReachabilityGraph;
using anyorder::detect::dtrg::TaskId;
using anyorder::detect::dtrg::TaskKind;
using Clock = std::chrono::steady_clock;

// Repetitions of what is quick, so that a table takes seconds.
constexpr std::size_t kRepetitions = 2000;
constexpr std::size_t kSources = 1000;
constexpr int kRounds = 5;

double ns_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

// What it takes to look at the clock twice.
double clock_ns() {
  double least = 1e9;
  for (int i = 0; i != 1000; ++i) least = std::min(least, ns_since(Clock::now()));
  return least;
}

// Time per query, the median over all calls of ask; and visits per query.
class Meter {
 public:
  // Asks `queries` times: precedes(earlier(i), later) has to be `answer`.
  template <class Earlier>
  void ask(ReachabilityGraph& graph, std::size_t queries, Earlier earlier, TaskId later, bool answer) {
    static const double clock = clock_ns();
    const std::uint64_t before = graph.queries().visits.sum();
    std::size_t wrong = 0;
    const Clock::time_point begin = Clock::now();
    for (std::size_t i = 0; i != queries; ++i) wrong += graph.precedes(earlier(i), later) == answer ? 0 : 1;
    ns_.push_back(std::max(0.0, ns_since(begin) - clock) / static_cast<double>(queries));
    visits_ += graph.queries().visits.sum() - before;
    queries_ += queries;
    if (wrong != 0) throw WrongResult("a query was answered wrongly");
  }

  double ns() const { return spread_of(ns_).median; }
  double visits() const { return static_cast<double>(visits_) / static_cast<double>(queries_); }

 private:
  std::vector<double> ns_;
  std::uint64_t visits_ = 0;
  std::size_t queries_ = 0;
};

TaskId done(ReachabilityGraph& graph, TaskId parent, TaskKind kind) {
  const TaskId task = graph.create(parent, kind, 0);
  graph.end(task);
  return task;
}

// A chain of futures, each of which gets the one before. Tasks get the last one, so that there are `joins`
// joins between the first one and each of these. What one has learned goes when it ends.
Table::Row chain(std::size_t joins) {
  ReachabilityGraph graph;
  const TaskId main = graph.begin_root();
  const TaskId parallel = done(graph, main, TaskKind::async);
  std::vector<TaskId> chain;
  for (std::size_t i = 0; i != joins; ++i) {
    chain.push_back(graph.create(main, TaskKind::future, 0));
    if (i > 0) graph.get(chain[i], chain[i - 1]);
    graph.end(chain[i]);
  }
  const auto first_of_chain = [&](std::size_t) { return chain.front(); };
  const auto any_of_chain = [&](std::size_t i) { return chain[i * 7919 % joins]; };
  const auto nobody_in_it = [&](std::size_t) { return parallel; };
  Meter first;
  Meter again;
  Meter first_negative;
  Meter negative_again;
  const std::size_t rounds = std::max<std::size_t>(3, kRepetitions / joins);
  for (std::size_t i = 0; i != rounds; ++i) {
    const auto in_a_new_task = [&](Meter& once, Meter& repeated, auto earlier, auto others, bool answer) {
      const TaskId task = graph.create(main, TaskKind::async, 0);
      graph.get(task, chain.back());
      once.ask(graph, 1, earlier, task, answer);
      repeated.ask(graph, kRepetitions, others, task, answer);
      graph.end(task);
    };
    in_a_new_task(first, again, first_of_chain, any_of_chain, true);
    in_a_new_task(first_negative, negative_again, nobody_in_it, nobody_in_it, false);
  }
  return {"chain",
          {static_cast<double>(joins), first.ns(), first.visits(), again.ns(), again.visits(),
           first_negative.ns(), first_negative.visits(), negative_again.ns(), negative_again.visits()}};
}

// Nested tasks, each of which has got a future of its own. The innermost asks for what the outermost got; and
// for what none got, always the same or always another.
Table::Row nested(std::size_t depth) {
  Meter outermost;
  Meter first_negative;
  Meter same;
  Meter others;
  for (int round = 0; round != kRounds; ++round) {
    ReachabilityGraph graph;
    const TaskId main = graph.begin_root();
    std::vector<TaskId> parallel;
    for (std::size_t i = 0; i != kSources; ++i) parallel.push_back(done(graph, main, TaskKind::async));
    std::vector<TaskId> futures;
    for (std::size_t i = 0; i != depth; ++i) futures.push_back(done(graph, main, TaskKind::future));
    TaskId task = main;
    for (const TaskId future : futures) {
      task = graph.create(task, TaskKind::async, 0);
      graph.get(task, future);
    }
    const auto always_the_first = [&](std::size_t) { return parallel.front(); };
    first_negative.ask(graph, 1, always_the_first, task, false);
    same.ask(graph, kSources, always_the_first, task, false);
    others.ask(
        graph, kSources, [&](std::size_t i) { return parallel[i]; }, task, false);
    outermost.ask(
        graph, kSources, [&](std::size_t) { return futures.front(); }, task, true);
  }
  return {"nested",
          {static_cast<double>(depth), first_negative.ns(), first_negative.visits(), same.ns(), same.visits(),
           others.ns(), others.visits(), outermost.ns(), outermost.visits()}};
}

}  // namespace

std::vector<Table> measure_queries(bool smoke) {
  Table chains{.title = "A query by non-tree joins, so many of which lie between the two tasks",
               .columns = {"joins", "first_ns", "first_visits", "again_ns", "again_visits", "negative_ns",
                           "negative_visits", "again_negative_ns", "again_negative_visits"}};
  Table nests{.title = "A query of the innermost of nested tasks, each of which has got a future",
              .columns = {"depth", "negative_ns", "negative_visits", "same_ns", "same_visits", "others_ns",
                          "others_visits", "outermost_ns", "outermost_visits"}};
  const std::size_t most = smoke ? 64 : 65536;
  for (std::size_t size = 1; size <= most; size *= smoke ? 8 : 2) {
    chains.rows.push_back(chain(size));
    nests.rows.push_back(nested(size));
  }
  return {chains, nests};
}

}  // namespace bench
