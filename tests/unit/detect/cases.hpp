// Programs with names and the verdict that a detector has to come to.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "findings/verdict.hpp"
#include "program.hpp"

namespace anyorder::detect {

inline constexpr auto kRace = findings::Verdict::race;
inline constexpr auto kClean = findings::Verdict::clean;
inline constexpr auto kUnknown = findings::Verdict::unknown;

struct Case {
  const char* name;
  Program program;
  findings::Verdict verdict;
};

inline std::string name_of(const testing::TestParamInfo<Case>& test) { return test.param.name; }

template <class Checked>
void expect_verdict(const Case& test) {
  EXPECT_EQ(Checked(test.program).verdict(), test.verdict) << to_string(test.program);
}

}  // namespace anyorder::detect
