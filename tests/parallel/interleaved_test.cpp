// Detectors that run in parallel and the oracle hear the same events, in all kinds of orders, and name the
// same bytes.
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <tuple>

#include "detect/graph/graph.hpp"
#include "driven.hpp"
#include "findings/finding_set.hpp"
#include "interleaved_run.hpp"
#include "random_nest.hpp"
#include "random_program.hpp"

namespace anyorder::detect {
namespace {

// What the detector says to one order of the program's statements.
template <class Detector, class... Arguments>
Bytes racy_bytes_of(const Program& program, Order order, unsigned seed, Arguments&&... arguments) {
  findings::FindingSet findings;
  Detector detector(findings, arguments...);
  InterleavedRun(detector, order, seed).run(program);
  return racy_bytes(findings);
}

struct Case {
  const char* name;
  Shape shape;
  unsigned programs;
};

class InEveryOrder : public testing::TestWithParam<std::tuple<Case, Which>> {
 protected:
  // With these arguments for detectors, programs of each seed are compared; how many were racy.
  template <class Detector, class Make, class... Arguments>
  static void compare(unsigned programs, Make make, const Arguments&... arguments) {
    unsigned racy = 0;
    for (unsigned seed = 0; seed < programs; ++seed) {
      const Program program = make(seed);
      for (const Order order : kOrders) {
        const Bytes expected = racy_bytes_of<graph::Graph>(program, order, seed);
        ASSERT_EQ((racy_bytes_of<Detector>(program, order, seed, std::span(kProgramMemory), arguments...)),
                  expected)
            << "seed " << seed << ", order " << static_cast<int>(order) << ": " << to_string(program);
        ASSERT_EQ((racy_bytes_of<QuicklyDriven<Detector>>(program, order, seed, arguments...)), expected)
            << "quickly, seed " << seed << ", order " << static_cast<int>(order) << ": "
            << to_string(program);
        if (order == Order::any && !expected.empty()) ++racy;
      }
    }
    RecordProperty("racy", static_cast<int>(racy));
    expect_both_answers(racy, programs);
  }
};

TEST_P(InEveryOrder, NamesTheBytesOfTheOracle) {
  const auto& [tried, which] = GetParam();
  const Shape& shape = tried.shape;
  // The rule for readers and what a cell has are the same for all: half of it is enough for the second.
  const unsigned otherwise = which == Which::spd3 ? tried.programs : tried.programs / 2;
  with_detector(which, [&, programs = programs_of_each_shape(otherwise)]<class Detector>() {
    compare<Detector>(programs, [&](unsigned seed) { return RandomProgram(seed, shape).make(); });
  });
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, InEveryOrder,
    testing::Combine(
        testing::Values(
            Case{"tiny", {.statements = 8, .depth = 3, .bytes = 1, .futures = false}, 3000},
            Case{"small", {.statements = 14, .depth = 4, .bytes = 2, .futures = false}, 3000},
            Case{"one_write",
                 {.statements = 24, .depth = 5, .bytes = 1, .futures = false, .rare_writes = 12},
                 8000},
            Case{"readers", {.statements = 30, .depth = 7, .bytes = 24, .futures = false}, 2000},
            Case{"larger", {.statements = 40, .depth = 6, .bytes = 12, .futures = false}, 1000},
            Case{"large", {.statements = 200, .depth = 8, .bytes = 600, .futures = false}, 300},
            Case{"wide", {.statements = 16, .depth = 4, .bytes = 400, .wide = true, .futures = false}, 1500},
            Case{"in_a_row",
                 {.statements = 12, .depth = 4, .bytes = 200, .wide = true, .in_a_row = 12, .futures = false},
                 1500},
            Case{"ranges",
                 {.statements = 16,
                  .depth = 4,
                  .bytes = 400,
                  .wide = true,
                  .in_a_row = 4,
                  .futures = false,
                  .rare_writes = 3,
                  .ranges = true},
                 600}),
        testing::ValuesIn(kWhich)),
    [](const auto& test) { return name_of(std::get<1>(test.param)) + "_" + std::get<0>(test.param).name; });

// Nested loops: what offset-span labels are for.
using Nests = InEveryOrder;

TEST_F(Nests, Spd3) {
  compare<spd3::Spd3>(programs_of_each_shape(150), [](unsigned seed) { return RandomNest(seed).make(); });
}
TEST_F(Nests, OffsetSpan) {
  compare<offset_span::OffsetSpan>(programs_of_each_shape(600),
                                   [](unsigned seed) { return RandomNest(seed).make(); });
}
// Labels whose counts are at their ends all the time, and whose records go as soon as they can.
TEST_F(Nests, OffsetSpanAtItsLimits) {
  for (const std::uint32_t joins : {1U, 2U, 3U}) {
    for (const std::uint32_t index : {1U, 2U}) {
      const offset_span::Labels::Limits limits{.joins = joins, .index = index, .blocks = 1};
      const unsigned programs = programs_of_each_shape(40);
      compare<offset_span::OffsetSpan>(
          programs, [](unsigned seed) { return RandomNest(seed).make(); }, limits);
      const Shape shape{.statements = 24, .depth = 5, .bytes = 2, .futures = false, .rare_writes = 8};
      compare<offset_span::OffsetSpan>(
          programs, [&](unsigned seed) { return RandomProgram(seed, shape).make(); }, limits);
    }
  }
}

}  // namespace
}  // namespace anyorder::detect
