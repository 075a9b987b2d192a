// The policy `known` as executors call it, without an executor: one task creates futures, each of which
// creates one itself, and joins them. All stay alive.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "comparison/statistics.hpp"
#include "deadlock/policy.hpp"
#include "join_queries/parts.hpp"
#include "queries/clock.hpp"

namespace bench {
namespace {

namespace deadlock = anyorder::deadlock;
using deadlock::TaskWord;

// Of each run.
enum Column : std::uint8_t { forked, created, created_any, joined, learnt, learnt_any, born, born_any };
constexpr std::size_t kColumns = born_any + 1;
using Costs = std::array<double, kColumns>;

constexpr std::size_t kQueries = 100'000;
constexpr std::size_t kSame = 256;  // tasks that are asked for again and again: they stay in the cache

class Run {
 public:
  explicit Run(std::size_t tasks)
      : policy_(*deadlock::policy(deadlock::PolicyName::known, [](void* /*strand*/) {})),
        children_(tasks),
        grandchildren_(tasks) {
    policy_.begin_period();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    for (std::vector<TaskWord>* words : {&grandchildren_, &children_}) {
      for (TaskWord& word : *words) policy_.forget(word);
    }
    policy_.forget(last_born_);
    policy_.forget(root_);
  }

  Costs costs() {
    Costs costs{};
    costs[forked] = time_of_each(children_, [this](TaskWord& child) { policy_.forked(root_, child, true); });
    for (std::size_t i = 0; i != children_.size(); ++i) policy_.forked(children_[i], grandchildren_[i], true);
    costs[created] = time_of_queries(root_, children_, kSame);
    costs[created_any] = time_of_queries(root_, children_, children_.size());
    costs[joined] = time_of_each(children_, [this](TaskWord& child) { policy_.joined(root_, child); });
    costs[learnt] = time_of_queries(root_, grandchildren_, kSame);
    costs[learnt_any] = time_of_queries(root_, grandchildren_, grandchildren_.size());
    policy_.forked(root_, last_born_, true);
    costs[born] = time_of_queries(last_born_, grandchildren_, kSame);
    costs[born_any] = time_of_queries(last_born_, grandchildren_, grandchildren_.size());
    return costs;
  }

 private:
  template <class Operation>
  static double time_of_each(std::vector<TaskWord>& tasks, const Operation& operation) {
    const double begin = processor_ns();
    for (TaskWord& task : tasks) operation(task);
    return (processor_ns() - begin) / static_cast<double>(tasks.size());
  }

  // Of `different` tasks, which are spread over all.
  double time_of_queries(TaskWord& task, const std::vector<TaskWord>& tasks, std::size_t different) {
    const std::size_t count = std::min(different, tasks.size());
    std::vector<TaskWord> targets;
    for (std::size_t i = 0; i != count; ++i) targets.push_back(tasks[i * (tasks.size() / count)]);
    std::shuffle(targets.begin(), targets.end(), random_);
    std::size_t unknown = 0;
    const double begin = processor_ns();
    for (std::size_t i = 0, at = 0; i != kQueries; ++i, at = at + 1 == count ? 0 : at + 1) {
      unknown += policy_.knows(task, targets[at]) ? 0 : 1;
    }
    const double took = processor_ns() - begin;
    if (unknown != 0) throw std::runtime_error("a task does not know what it should");
    return took / static_cast<double>(kQueries);
  }

  deadlock::Policy& policy_;
  TaskWord root_ = nullptr;
  TaskWord last_born_ = nullptr;
  std::vector<TaskWord> children_;
  std::vector<TaskWord> grandchildren_;
  std::mt19937_64 random_{7};
};

}  // namespace

std::vector<Table> measure_knowledge(bool smoke) {
  const std::size_t most = smoke ? 10'000 : 1'000'000;
  const int rounds = smoke ? 1 : 7;
  std::map<std::size_t, std::array<std::vector<double>, kColumns>> found;
  for (int round = 0; round != rounds; ++round) {
    for (std::size_t tasks = 1000; tasks <= most; tasks *= 10) {
      const Costs costs = Run(tasks).costs();
      for (std::size_t i = 0; i != kColumns; ++i) found[tasks][i].push_back(costs[i]);
    }
  }
  Table table{
      .title = "One task knows so many, by creation and by joins; ns per operation under known, medians",
      .columns = {"tasks", "fork", "created", "created_any", "join", "learnt", "learnt_any", "born",
                  "born_any"}};
  for (const auto& [tasks, columns] : found) {
    Table::Row row{.name = "known", .values = {static_cast<double>(tasks)}};
    for (const std::vector<double>& ns : columns) row.values.push_back(spread_of(ns).median);
    table.rows.push_back(std::move(row));
  }
  return {table};
}

}  // namespace bench
