// dtrg and the oracle hear the same events, and name the same bytes.
//
// dtrg's answers are exact where a task waits only for futures whose handle it was given by what precedes it.
// So a handle is a variable here: where none is raced on, all bytes agree; else the two agree that there is a
// race, and dtrg names none that is not there.
#include "detect/dtrg/dtrg.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "detect/graph/graph.hpp"
#include "quickly_driven.hpp"
#include "racy_bytes.hpp"
#include "random_program.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {
namespace {

bool has_race_on_a_handle(const Bytes& racy) { return racy.lower_bound(handle_address(0)) != racy.end(); }

struct Case {
  const char* name;
  Shape shape;
  unsigned programs;
};

class Dtrg : public testing::TestWithParam<Case> {};

TEST_P(Dtrg, NamesTheBytesOfTheOracle) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  const unsigned programs = programs_of_each_shape(GetParam().programs);
  unsigned exact = 0;
  unsigned racy = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Program program = RandomProgram(seed, GetParam().shape).make();
    const Bytes expected = racy_bytes<graph::Graph>(program);
    const Bytes found = racy_bytes<dtrg::Dtrg>(program);
    ASSERT_EQ(racy_bytes<QuicklyDriven<dtrg::Dtrg>>(program), found)
        << "seed " << seed << ": " << to_string(program);
    if (has_race_on_a_handle(expected)) {
      ASSERT_FALSE(found.empty()) << "seed " << seed << ": " << to_string(program);
      ASSERT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()))
          << "seed " << seed << ": " << to_string(program);
      continue;
    }
    ASSERT_EQ(found, expected) << "seed " << seed << ": " << to_string(program);
    ++exact;
    racy += expected.empty() ? 0 : 1;
  }
  RecordProperty("compared_byte_by_byte", static_cast<int>(exact));
  RecordProperty("racy", static_cast<int>(racy));
  EXPECT_GT(exact, GetParam().shape.leaks == 0 ? programs - 1 : programs / 10);
  expect_both_answers(racy, exact);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Dtrg,
    testing::Values(
        Case{"tiny", {.statements = 8, .depth = 3, .bytes = 1}, 10000},
        Case{"tiny_with_leaks", {.statements = 8, .depth = 3, .bytes = 1, .leaks = 100}, 10000},
        Case{"small", {.statements = 14, .depth = 4, .bytes = 2}, 10000},
        Case{"larger", {.statements = 40, .depth = 6, .bytes = 6}, 4000},
        Case{"larger_with_leaks", {.statements = 40, .depth = 6, .bytes = 6, .leaks = 20}, 4000},
        Case{"large", {.statements = 200, .depth = 8, .bytes = 200}, 2000},
        Case{"large_with_leaks", {.statements = 200, .depth = 8, .bytes = 200, .leaks = 3}, 1000},
        Case{"wide", {.statements = 30, .depth = 4, .bytes = 200, .wide = true}, 4000},
        Case{"in_a_row", {.statements = 30, .depth = 4, .bytes = 72, .wide = true, .in_a_row = 12}, 6000},
        Case{"loops",
             {.statements = 24,
              .depth = 4,
              .bytes = 300,
              .wide = true,
              .in_a_row = 8,
              .rare_writes = 3,
              .loops = true},
             4000},
        Case{"ranges",
             {.statements = 24,
              .depth = 4,
              .bytes = 400,
              .wide = true,
              .in_a_row = 4,
              .rare_writes = 3,
              .ranges = true},
             3000}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace anyorder::detect
