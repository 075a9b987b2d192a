// What a may-happen-in-parallel query of spd3 costs in trees of depth 10 to 1,000,000: the walk along the
// parents, the tree's own way up, and a thread that has asked before; what accesses cost there; and what they
// cost in loops. Answers are compared before they are timed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <time.h>
#include <utility>
#include <vector>

#include "detect/spd3/known_branchings.hpp"
#include "detect/spd3/parent_walk.hpp"
#include "detect/spd3/spd3.hpp"
#include "detect/spd3/tree.hpp"
#include "findings/finding_set.hpp"
#include "parallel_queries/loops.hpp"
#include "queries/program.hpp"
#include "queries/table.hpp"

namespace {

using namespace anyorder::detect::spd3;
using Pair = std::pair<NodeId, NodeId>;

// Processor time of this thread: the machine may be busy with other things.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Rounds in turns over all depths, of which the best counts: what disturbs, disturbs all of them.
constexpr int kRounds = 15;

std::span<const std::uint32_t> depths_of(bool smoke) {
  static constexpr std::uint32_t kDepths[] = {10, 100, 1000, 10'000, 100'000, 1'000'000};
  return std::span(kDepths).first(smoke ? 3 : std::size(kDepths));
}

// Nanoseconds for each of `count`, over a millisecond or more.
template <class F>
double time_of_each(std::size_t count, bool smoke, F f) {
  // The clock is looked at ever more rarely: it takes longer than many queries.
  std::size_t times = 0;
  const double begin = now();
  double spent = 0;
  for (std::size_t more = 1; times == 0 || (!smoke && spent < 1e6); more *= 2) {
    for (std::size_t i = 0; i != more; ++i) f();
    times += more;
    spent = now() - begin;
  }
  return spent / static_cast<double>(times * count);
}

// A chain of tasks down to `fork`, and from there two down to `depth`; the last ones of each, up to 64.
struct Chains {
  Chains(std::uint32_t depth, std::uint32_t fork) {
    NodeId common = tree.begin_root(stock);
    while (tree.node(common).depth < fork) common = tree.create_async(common, 1, stock);
    for (std::vector<NodeId>* chain : {&left, &right}) {
      chain->push_back(tree.create_async(common, 1, stock));
      while (tree.node(chain->back()).depth < depth) {
        chain->push_back(tree.create_async(chain->back(), 1, stock));
      }
      if (chain->size() > 64) chain->erase(chain->begin(), chain->end() - 64);
    }
  }
  Tree tree;
  Tree::Stock stock;
  std::vector<NodeId> left;
  std::vector<NodeId> right;
};

volatile std::uint32_t sink;

template <class Query>
double time_of(std::span<const Pair> pairs, bool smoke, Query query) {
  return time_of_each(pairs.size(), smoke, [&] {
    std::uint32_t sum = 0;
    for (const auto& [a, b] : pairs) sum += relation_of(query(a, b), 0, 0).parallel ? 1 : 0;
    sink = sum;
  });
}

// A line of the table, and what is asked in it.
struct Line {
  Line(std::uint32_t depth, double part)
      : chains(depth, std::clamp(static_cast<std::uint32_t>(part * depth), 1U, depth - 2)) {
    for (const NodeId a : chains.left) {
      for (const NodeId b : chains.right) pairs.emplace_back(a, b);
    }
    // In no order, as accesses come.
    for (std::size_t i = 0; i != pairs.size(); ++i) std::swap(pairs[i], pairs[i * 7919 % pairs.size()]);
    for (const auto& [a, b] : pairs) {
      const Branching expected = branching_by_walk(chains.tree, a, b);
      if (chains.tree.branching(a, b) != expected || known.of(chains.tree, a, b) != expected) {
        throw std::runtime_error("wrong answer at depth " + std::to_string(depth));
      }
    }
  }
  void measure(bool smoke) {
    const std::span<const Pair> all(pairs);
    const std::span<const Pair> few = all.first(std::min<std::size_t>(all.size(), 4));
    const auto walk = [this](NodeId a, NodeId b) { return branching_by_walk(chains.tree, a, b); };
    const auto first = [this](NodeId a, NodeId b) { return chains.tree.branching(a, b); };
    const auto again = [this](NodeId a, NodeId b) { return known.of(chains.tree, a, b); };
    best[0] = std::min(best[0], time_of(few, smoke, walk));
    best[1] = std::min(best[1], time_of(all, smoke, first));
    best[2] = std::min(best[2], time_of(few, smoke, again));
  }

  Chains chains;
  std::vector<Pair> pairs;
  KnownBranchings known;
  double best[3] = {1e300, 1e300, 1e300};
};

std::vector<bench::Table> measure_queries(bool smoke) {
  const std::span<const std::uint32_t> depths = depths_of(smoke);
  bench::Table table{"ns per query", {"walk", "first_time", "asked_before"}, {}};
  for (const auto& [name, part] :
       {std::pair{"root", 0.0}, std::pair{"middle", 0.5}, std::pair{"leaf", 1.0}}) {
    std::vector<std::unique_ptr<Line>> lines;
    for (const std::uint32_t depth : depths) lines.push_back(std::make_unique<Line>(depth, part));
    for (int round = 0; round != (smoke ? 1 : kRounds); ++round) {
      for (const std::unique_ptr<Line>& line : lines) line->measure(smoke);
    }
    for (std::size_t i = 0; i != depths.size(); ++i) {
      const double(&best)[3] = lines[i]->best;
      table.rows.push_back(
          {std::string(name) + ", depth " + std::to_string(depths[i]), {best[0], best[1], best[2]}});
    }
  }
  return {table};
}

// A task at the depth writes so many words, and after a finish another one, as deep, reads and then writes
// them: each access asks how the two lie to each other.
std::vector<bench::Table> measure_accesses(bool smoke) {
  const std::span<const std::uint32_t> depths = depths_of(smoke);
  using namespace anyorder;
  constexpr std::uintptr_t kMemory = 0x1000;
  constexpr std::size_t kWords = 4096;
  static constexpr shadow::AddressRange kRange[] = {{kMemory, kMemory + 8 * kWords}};
  bench::Table table{"ns per access of a word that a task at the other end of the tree wrote",
                     {"first_read", "read_again", "write"},
                     {}};
  const auto site_of = [] { return std::uintptr_t{1}; };
  std::vector<std::array<double, 3>> best(depths.size(), {1e300, 1e300, 1e300});
  for (int round = 0; round != (smoke ? 1 : kRounds); ++round) {
    for (std::size_t row = 0; row != depths.size(); ++row) {
      findings::FindingSet findings;
      Spd3 detector(findings, kRange);
      void* root = nullptr;
      void* finish = nullptr;
      detector.root_begun(root, finish);
      const auto deep_task = [&] {
        void* task = root;
        for (std::uint32_t i = 2; i < depths[row]; ++i) {
          void* child = nullptr;
          detector.task_created(task, child, finish, events::TaskKind::async, {});
          task = child;
        }
        return task;
      };
      void* inner = nullptr;
      detector.finish_begun(root, inner, {});
      void* const writer = deep_task();
      for (std::size_t i = 0; i != kWords; ++i) detector.write(writer, kMemory + 8 * i, 8, 1);
      detector.finish_ended(root, inner);
      void* const reader = deep_task();
      const auto time = [&](double& result, auto access) {
        const double begin = now();
        for (std::size_t i = 0; i != kWords; ++i) access(kMemory + 8 * i);
        result = std::min(result, (now() - begin) / kWords);
      };
      const auto read = [&](std::uintptr_t at) {
        if (!detector.try_read<8>(reader, at, site_of)) detector.read(reader, at, 8, 1);
      };
      time(best[row][0], read);
      time(best[row][1], read);
      time(best[row][2], [&](std::uintptr_t at) {
        if (!detector.try_write<8>(reader, at, site_of)) detector.write(reader, at, 8, 1);
      });
      if (findings.verdict() != findings::Verdict::clean) throw std::runtime_error("a race that is none");
    }
  }
  for (std::size_t row = 0; row != depths.size(); ++row) {
    table.rows.push_back(
        {"depth " + std::to_string(depths[row]), {best[row][0], best[row][1], best[row][2]}});
  }
  return {table};
}

}  // namespace

int main(int argc, char** argv) {
  static constexpr bench::Part kParts[] = {
      {"queries", &measure_queries}, {"accesses", &measure_accesses}, {"loops", &bench::measure_loops}};
  return bench::run_parts(argc, argv, kParts);
}
