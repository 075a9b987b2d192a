// spd3 and the oracle hear the same events, in all kinds of orders, and name the same bytes.
#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "detect/graph/graph.hpp"
#include "detect/spd3/spd3.hpp"
#include "findings/finding_set.hpp"
#include "interleaved_run.hpp"
#include "random_program.hpp"
#include "spd3_driven.hpp"

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

class Spd3 : public testing::TestWithParam<Case> {};

TEST_P(Spd3, NamesTheBytesOfTheOracleInEveryOrder) {
  const unsigned programs = programs_of_each_shape(GetParam().programs);
  unsigned racy = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Program program = RandomProgram(seed, GetParam().shape).make();
    for (const Order order : kOrders) {
      const Bytes expected = racy_bytes_of<graph::Graph>(program, order, seed);
      ASSERT_EQ(racy_bytes_of<spd3::Spd3>(program, order, seed, std::span(kProgramMemory)), expected)
          << "seed " << seed << ", order " << static_cast<int>(order) << ": " << to_string(program);
      ASSERT_EQ(racy_bytes_of<QuicklyDriven>(program, order, seed), expected)
          << "quickly, seed " << seed << ", order " << static_cast<int>(order) << ": " << to_string(program);
      if (order == Order::any && !expected.empty()) ++racy;
    }
  }
  RecordProperty("racy", static_cast<int>(racy));
  // Both answers are put to the test.
  EXPECT_GT(racy, programs / 20);
  EXPECT_LT(racy, programs);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Spd3,
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
             1500}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace anyorder::detect
