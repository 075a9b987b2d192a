// A random graph of 100,000 futures with legal gets (each gets up to four of those created before it, by
// handles that it was given), 100 times in a row with different graphs; each result against a serial run.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "memory.hpp"

namespace ao = anyorder;

namespace {

constexpr std::uint32_t kFutures = 100'000;
constexpr std::uint32_t kNone = ~0U;

struct Graph {
  std::vector<std::array<std::uint32_t, 4>> gets;  // of future i, all below i
};

Graph random_graph(std::uint64_t seed) {
  Graph graph{std::vector<std::array<std::uint32_t, 4>>(kFutures)};
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  const auto next = [&state] {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    return state;
  };
  // Some graphs are wide, some nearly chains: how far back a get reaches differs by graph.
  const std::uint64_t reach = 1 + next() % (seed % 3 == 0 ? 10 : kFutures);
  for (std::uint32_t i = 0; i < kFutures; ++i) {
    for (std::uint32_t& target : graph.gets[i]) {
      const std::uint64_t back = 1 + next() % reach;
      target = back <= i && next() % 4 != 0 ? static_cast<std::uint32_t>(i - back) : kNone;
    }
  }
  return graph;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return (a ^ (b + 0x9E3779B97F4A7C15U)) * 0xBF58476D1CE4E5B9U;
}

std::uint64_t expected(const Graph& graph) {
  std::vector<std::uint64_t> value(kFutures);
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < kFutures; ++i) {
    value[i] = i;
    for (const std::uint32_t target : graph.gets[i]) {
      if (target != kNone) value[i] = mix(value[i], value[target]);
    }
    all += value[i];
  }
  return all;
}

std::uint64_t by_futures(const Graph& graph) {
  return ao::finish([&] {
    std::vector<ao::future<std::uint64_t>> all(kFutures);
    for (std::uint32_t i = 0; i < kFutures; ++i) {
      std::array<ao::future<std::uint64_t>, 4> handles;
      for (std::size_t k = 0; k < handles.size(); ++k) {
        if (graph.gets[i][k] != kNone) handles[k] = all[graph.gets[i][k]];
      }
      all[i] = ao::async_future([i, handles = std::move(handles)] {
        std::uint64_t value = i;
        for (const auto& handle : handles) {
          if (handle.valid()) value = mix(value, handle.get());
        }
        return value;
      });
    }
    std::uint64_t sum = 0;
    for (const auto& future : all) sum += future.get();
    return sum;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  for (int round = 0; round < rounds; ++round) {
    const Graph graph = random_graph(static_cast<std::uint64_t>(round));
    stress::require(by_futures(graph) == expected(graph), "the values over the graph");
  }
  stress::report_peak("random graphs of 100,000 futures", 400);
}
