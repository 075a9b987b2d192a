// Races that are no findings because someone said so.
#include "report/suppressions.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>
#include <string>

#include "report/report.hpp"
#include "sample.hpp"

namespace anyorder::report {
namespace {

// Two pairs of lines: a counter at 12 and 15, and `other`, in another function and by other tasks.
Report two_races() {
  findings::Race other = race_on(0x2000, 4, {0x2000, findings::GlobalMemory{"space::other"}});
  other.first.stack =
      findings::Trace({line("/lib/x.cpp", 7, "helper(int)"), line("/app/app.cpp", 40, "outer()")});
  other.second.stack = other.first.stack;
  other.first.created_at = findings::Trace({line("/app/app.cpp", 41, "f"), line("/app/app.cpp", 42, "g")});
  other.second.created_at = other.first.created_at;
  return make_report({process_with({race_on_counter(), other})}, {{"./app"}, "graph"});
}

// What is left after these entries: a 'c' for the counter's race, an 'o' for the other one.
std::string left(const std::string& entries) {
  Report report = two_races();
  Suppressions::parse(entries).apply(report, "list");
  std::string names;
  for (const findings::RaceGroup& group : report.findings.races) {
    names += std::get<findings::GlobalMemory>(group.races[0].memory.object).symbol == "counter" ? 'c' : 'o';
  }
  return names;
}

TEST(Suppressions, ByLine) {
  EXPECT_EQ(left("line app.cpp:12"), "o");
  EXPECT_EQ(left("line /app/app.cpp:15"), "o");
  EXPECT_EQ(left("line app.cpp:*"), "o");
  EXPECT_EQ(left("line pp.cpp:12"), "co");
  EXPECT_EQ(left("line app.cpp:1"), "co");
  EXPECT_EQ(left("line *:7"), "c");
}

TEST(Suppressions, ByFunctionOnTheStack) {
  EXPECT_EQ(left("function helper"), "c");
  EXPECT_EQ(left("function helper(int)"), "c");
  EXPECT_EQ(left("function outer"), "c");
  EXPECT_EQ(left("function help"), "co");
  EXPECT_EQ(left("function *e*"), "");
}

TEST(Suppressions, ByVariable) {
  EXPECT_EQ(left("variable counter"), "o");
  EXPECT_EQ(left("variable space::*"), "c");
  EXPECT_EQ(left("variable counter[3]"), "co");
}

TEST(Suppressions, ByAnyCreationOnTheWayToATask) {
  EXPECT_EQ(left("task app.cpp:42"), "c");
  EXPECT_EQ(left("task app.cpp:14"), "o");
}

TEST(Suppressions, CommentsAndEmptyLines) {
  EXPECT_EQ(left("# line app.cpp:12\n\n   \t\nvariable counter  # it is only shown\r\n"), "o");
  EXPECT_EQ(left(""), "co");
}

TEST(Suppressions, AreCountedAndEntriesWithoutARacePointedOut) {
  Report report = two_races();
  Suppressions::parse("variable counter\nline app.cpp:12\nline app.cpp:99\n").apply(report, "list.txt");
  EXPECT_EQ(report.verdict, findings::Verdict::race);
  std::ostringstream some;
  write_text(some, report, {});
  EXPECT_NE(some.str().find("list.txt, line 3: line app.cpp:99: matches no race\n"
                            "list.txt: 1 pair of source lines is suppressed\n"
                            "race: 1 pair of source lines races"),
            std::string::npos)
      << some.str();

  report = two_races();
  Suppressions::parse("line *:*").apply(report, "list.txt");
  EXPECT_EQ(report.verdict, findings::Verdict::clean);
  std::ostringstream all;
  write_text(all, report, {});
  EXPECT_EQ(all.str().find("list.txt: 2 pairs of source lines are suppressed\n"
                           "clean: no race on any schedule of this input, but for those above\n"),
            0U)
      << all.str();
}

std::string error_of(const std::string& entries) {
  try {
    static_cast<void>(Suppressions::parse(entries));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Suppressions, WhatIsWrittenWronglyIsAnErrorWithItsLine) {
  EXPECT_EQ(error_of("\nrace x"), "line 2: 'race' is none of line, function, variable and task");
  EXPECT_EQ(error_of("variable"), "line 1: 'variable' has nothing behind it");
  EXPECT_EQ(error_of("line a.cpp"),
            "line 1: 'a.cpp' has no line: append one, as in app.cpp:12, or :* for all");
}

TEST(ExpectedRaces, AreNoFindings) {
  record::Process process = process_with({race_on_counter()});
  process.expected = {{0x1000, 0x1004, "on purpose", line("/app/app.cpp", 3, "main")},
                      {0x1000, 0x1004, "on purpose", line("/app/app.cpp", 3, "main")},
                      {0x5000, 0x5004, "perhaps", line("/app/app.cpp", 4, "main")}};
  const Report report = make_report({process}, {{"./app"}, "graph"});
  EXPECT_EQ(report.verdict, findings::Verdict::clean);
  std::ostringstream out;
  write_text(out, report, {});
  EXPECT_EQ(out.str().find("/app/app.cpp:3 in main: 1 race was expected (on purpose)\n"
                           "/app/app.cpp:4 in main: a race was expected, and there was none (perhaps)\n"
                           "clean: no race on any schedule of this input, but for those above\n"),
            0U)
      << out.str();
}

TEST(ExpectedRaces, HoldForTheirBytesAlone) {
  record::Process process = process_with({race_on_counter()});
  process.expected = {{0x1000, 0x1002, "half of it", line("/app/app.cpp", 3, "main")}};
  EXPECT_EQ(make_report({process}, {{"./app"}, "graph"}).verdict, findings::Verdict::race);
}

}  // namespace
}  // namespace anyorder::report
