#include "comparison.hpp"

#include <gtest/gtest.h>
#include <string>

namespace anyorder::programs {
namespace {

using Json = nlohmann::json;

const char* const kProgram = "/somewhere/p.race.cpp";

Marks one_race() {
  return parse_marks(kProgram,
                     "x = 1;  // RACE(a): write\n"
                     "y = x;  // RACE(a): read\n");
}

Json access(const std::string& kind, const std::string& file, unsigned line) {
  return {{"access", kind}, {"file", file}, {"line", line}, {"stack", Json::array()}};
}

Json report(const std::string& verdict, const Json& races = Json::array()) {
  return {{"verdict", verdict}, {"races", races}, {"unsupported", Json::array()}};
}

Json race(const Json& first, const Json& second) { return {{"first", first}, {"second", second}}; }

TEST(Comparison, Agrees) {
  const Json races = Json::array({race(access("write", kProgram, 1), access("read", kProgram, 2))});
  EXPECT_TRUE(differences(one_race(), kProgram, report("race", races), 66).empty());
}

TEST(Comparison, EitherAccessMayBeFirstAndOneMayComeTwice) {
  const Json races = Json::array({race(access("read", kProgram, 2), access("write", kProgram, 1)),
                                  race(access("write", kProgram, 1), access("read", kProgram, 2))});
  EXPECT_TRUE(differences(one_race(), kProgram, report("race", races), 66).empty());
}

TEST(Comparison, TheCallerInTheProgramIsThePlaceOfWhatALibraryDoes) {
  Json inside = access("write", "/usr/include/c++/12/bits/stl_vector.h", 7);
  inside["stack"] = Json::array({{{"file", "/usr/include/c++/12/bits/stl_vector.h"}, {"line", 7}},
                                 {{"pc", "0x1"}, {"module", "libc.so.6"}},
                                 {{"file", kProgram}, {"line", 1}},
                                 {{"file", kProgram}, {"line", 9}}});
  const Json races = Json::array({race(inside, access("read", kProgram, 2))});
  EXPECT_TRUE(differences(one_race(), kProgram, report("race", races), 66).empty());
}

TEST(Comparison, WrongVerdict) {
  const Json races = Json::array({race(access("write", kProgram, 1), access("read", kProgram, 2))});
  EXPECT_EQ(differences(one_race(), kProgram, report("unknown", races), 66).size(), 1U);
}

TEST(Comparison, WrongExitCode) {
  const Json races = Json::array({race(access("write", kProgram, 1), access("read", kProgram, 2))});
  EXPECT_EQ(differences(one_race(), kProgram, report("race", races), 0).size(), 1U);
}

TEST(Comparison, MarkedButNotReported) {
  const auto found = differences(one_race(), kProgram, report("race"), 66);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], "marked, not reported: write at line 1, read at line 2");
}

TEST(Comparison, ReportedButNotMarked) {
  const Json marked = race(access("write", kProgram, 1), access("read", kProgram, 2));
  for (const Json& extra : {
           race(access("write", kProgram, 1), access("write", kProgram, 2)),  // another kind
           race(access("write", kProgram, 1), access("read", kProgram, 3)),   // another line
           race(access("write", "other.cpp", 1), access("read", kProgram, 2)),
           race(Json{{"access", "write"}, {"stack", Json::array()}}, access("read", kProgram, 2)),
       }) {
    const auto found = differences(one_race(), kProgram, report("race", {marked, extra}), 66);
    EXPECT_EQ(found.size(), 1U) << extra;
  }
}

TEST(Comparison, AnUpdatesReadMayBeMissing) {
  const Marks marks = parse_marks(kProgram, "++x;  // RACE(a): update update\n");
  const Json both_write = race(access("write", kProgram, 1), access("write", kProgram, 1));
  const Json one_reads = race(access("write", kProgram, 1), access("read", kProgram, 1));
  EXPECT_TRUE(differences(marks, kProgram, report("race", Json::array({both_write})), 66).empty());
  EXPECT_TRUE(differences(marks, kProgram, report("race", Json::array({both_write, one_reads})), 66).empty());
  EXPECT_EQ(differences(marks, kProgram, report("race", Json::array({one_reads})), 66).size(), 1U);
}

TEST(Comparison, ACleanProgramHasNoRaceAndItsOwnExitCode) {
  const Marks marks = parse_marks("p.clean.cpp", "");
  EXPECT_TRUE(differences(marks, "p.clean.cpp", report("clean"), 0).empty());
  EXPECT_FALSE(differences(marks, "p.clean.cpp", report("clean"), 1).empty());
  EXPECT_FALSE(differences(marks, "p.clean.cpp", report("unknown"), 65).empty());
}

TEST(Comparison, TheSentenceHasToAppear) {
  const Marks marks = parse_marks("p.unknown.cpp", "f();  // UNKNOWN: anyorder explore\n");
  Json unknown = report("unknown");
  EXPECT_FALSE(differences(marks, "p.unknown.cpp", unknown, 65).empty());
  unknown["unsupported"] = Json::array({{{"construct", "isolated"}, {"why", "Run `anyorder explore`."}}});
  EXPECT_TRUE(differences(marks, "p.unknown.cpp", unknown, 65).empty());
}

TEST(Comparison, WhatIsRefusedIsUnknownWithItsLine) {
  const Marks marks = parse_marks("p.clean.cpp", "");
  const auto refused = [&](const Json& report, int exit_code) {
    return differences_if_refused(marks, "p.clean.cpp", report, exit_code, "future");
  };
  Json unknown = report("unknown");
  unknown["unsupported"] = Json::array();
  EXPECT_EQ(refused(unknown, 65).size(), 1U);
  unknown["unsupported"] =
      Json::array({{{"construct", "future"}, {"why", "No."}, {"file", "p.clean.cpp"}, {"line", 7}}});
  EXPECT_TRUE(refused(unknown, 65).empty());
  EXPECT_EQ(refused(unknown, 0).size(), 1U);
  Json clean = unknown;
  clean["verdict"] = "clean";
  EXPECT_EQ(refused(clean, 0).size(), 1U);
  Json elsewhere = unknown;
  elsewhere["unsupported"][0]["file"] = "other.cpp";
  EXPECT_EQ(refused(elsewhere, 65).size(), 1U);
}

TEST(Comparison, MemoryHasANameAndARaceAdvice) {
  Json found = race(access("write", kProgram, 1), access("read", kProgram, 2));
  found["address"] = "0x10";
  Json whole = report("race", Json::array({found}));
  whole["remedies"] = Json::array();
  EXPECT_EQ(gaps(whole).size(), 2U);
  whole["remedies"].push_back({{"kind", "get"}});
  EXPECT_EQ(gaps(whole).size(), 1U);
  whole["races"][0]["variable"] = "x";
  EXPECT_TRUE(gaps(whole).empty());
}

TEST(Comparison, ExitCodes) {
  EXPECT_EQ(exit_code_of("clean"), 0);
  EXPECT_EQ(exit_code_of("unknown"), 65);
  EXPECT_EQ(exit_code_of("race"), 66);
}

TEST(Misplaced, AnAccessIsInTheStatementThatNamesItsVariable) {
  const std::string source = "  f([] { x[1] = g([] { return 1; }); }); y = 1;  // RACE(a): write\n";
  const auto found = [&](unsigned column, const std::string& variable) {
    Json one = access("write", kProgram, 1);
    if (column != 0) one["column"] = column;
    Json both = race(one, access("read", "/usr/include/c++/12/bits/x.h", 7));
    both["variable"] = variable;
    return misplaced(report("race", Json::array({both})), kProgram, source).size();
  };
  for (const unsigned column : {10U, 15U, 34U}) EXPECT_EQ(found(column, "ns::x[1]"), 0U) << column;
  EXPECT_EQ(found(0, "ns::x[1]"), 1U);
  EXPECT_EQ(found(3, "ns::x[1]"), 1U);
  EXPECT_EQ(found(42, "ns::x[1]"), 1U);
  EXPECT_EQ(found(42, "y"), 0U);
  EXPECT_EQ(found(3, "z"), 0U);   // not on the line: a parameter, say
  EXPECT_EQ(found(2, "z"), 1U);   // blank
  EXPECT_EQ(found(50, "z"), 1U);  // in the comment
  EXPECT_EQ(found(42, ""), 0U);
}

}  // namespace
}  // namespace anyorder::programs
