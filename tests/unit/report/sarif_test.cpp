// SARIF: what its schema asks (by the rules of tests/sarif), and what tools look for.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "faults.hpp"
#include "report/report.hpp"
#include "sample.hpp"

namespace anyorder::report {
namespace {

using nlohmann::json;

Report report_of(const record::Process& process) {
  RunFacts run{{"./app"}, "graph", 0, 0, false, 0.1, 4096};
  run.typed = "./app";
  return make_report({process}, run);
}

json sarif_of(const record::Process& process) {
  std::ostringstream out;
  write_sarif(out, report_of(process));
  return json::parse(out.str());
}

void expect_valid(const json& log) {
  for (const std::string& fault : sarif::faults(log)) ADD_FAILURE() << fault;
}

TEST(Sarif, ACleanRunHasNoResults) {
  const json log = sarif_of(clean_process());
  expect_valid(log);
  EXPECT_TRUE(log.at("runs").at(0).at("results").empty());
}

TEST(Sarif, ARace) {
  const json log = sarif_of(process_with({race_on_counter()}));
  expect_valid(log);
  ASSERT_EQ(log.at("runs").at(0).at("results").size(), 1U);
  const json& result = log.at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "race");
  EXPECT_EQ(result.at("level"), "error");
  EXPECT_EQ(result.at("message").at("text").get<std::string>().find(
                "write-write race on counter (4 bytes). The main"),
            0U);
  const json& second = result.at("locations").at(0);
  EXPECT_EQ(second.at("physicalLocation"), json::parse(R"({"artifactLocation": {"uri": "file:///app/app.cpp"},
                                                           "region": {"startLine": 15}})"));
  EXPECT_EQ(second.at("message").at("text"), "write by task 5");
  ASSERT_EQ(result.at("relatedLocations").size(), 3U);  // the other access, and both creations
  EXPECT_EQ(result.at("relatedLocations").at(0).at("physicalLocation").at("region").at("startLine"), 12);
  EXPECT_EQ(result.at("partialFingerprints").at("anyorderRace/v1").get<std::string>().size(), 16U);
}

TEST(Sarif, ARaceHasBothCallStacks) {
  findings::Race race = race_on_counter();
  findings::Frame recursion = line("/app/app.cpp", 20, "f()");
  recursion.skipped = {4998, 2};
  race.first.stack =
      findings::Trace({race.first.stack.innermost(), recursion, line("/app/app.cpp", 21, "main")});
  const json log = sarif_of(process_with({race}));
  expect_valid(log);
  const json& stacks = log.at("runs").at(0).at("results").at(0).at("stacks");
  ASSERT_EQ(stacks.size(), 2U);
  EXPECT_EQ(stacks.at(0).at("message").at("text"), "write by task 3");
  ASSERT_EQ(stacks.at(0).at("frames").size(), 3U);
  EXPECT_EQ(stacks.at(0).at("frames").at(1).at("location").at("message").at("text"),
            "… the last 2 calls 2499 times more");
  EXPECT_EQ(stacks.at(1).at("frames").size(), 1U);
}

TEST(Sarif, OtherFindingsAndNamesThatAreNoText) {
  record::Process process = process_with({race_on_counter()});
  const findings::Trace odd({line("/app/a b\xFF.cpp", 5, "f\xFF")});
  process.findings.deadlocks.push_back(
      {{{1, findings::WaitKind::get, odd, {}}, {2, findings::WaitKind::get, odd, {}}}});
  findings::UnknownJoin join;
  join.got_at = odd;
  process.findings.unknown_joins.push_back(join);
  process.findings.unsupported.push_back({"future", "Why.", odd, 1});
  process.findings.unsupported.push_back({"thread", "Why.", {}, 1});
  const json log = sarif_of(process);
  expect_valid(log);
  EXPECT_EQ(log.at("runs").at(0).at("results").size(), 5U);
  EXPECT_NE(log.dump().find("file:///app/a%20b%FF.cpp"), std::string::npos);
}

std::string fingerprint_of(const findings::Race& race) {
  return sarif_of(process_with({race}))
      .at("runs")
      .at(0)
      .at("results")
      .at(0)
      .at("partialFingerprints")
      .at("anyorderRace/v1");
}

TEST(Sarif, AFingerprintDoesNotDependOnTheRun) {
  const std::string value = fingerprint_of(race_on_counter());
  findings::Race other = race_on_counter();
  other.address += 8;
  other.first.task = 77;
  std::swap(other.first, other.second);
  EXPECT_EQ(fingerprint_of(other), value);
  other.memory.object = findings::GlobalMemory{"another"};
  EXPECT_NE(fingerprint_of(other), value);
  other = race_on_counter();
  other.first.kind = findings::AccessKind::read;
  EXPECT_NE(fingerprint_of(other), value);
  other = race_on_counter();
  other.first.stack = findings::Trace({line("/elsewhere/app.cpp", 12, "work(int)")});
  EXPECT_EQ(fingerprint_of(other), value);
  other.first.stack = findings::Trace({line("/app/app.cpp", 13, "work(int)")});
  EXPECT_NE(fingerprint_of(other), value);
}

// As a baseline of an earlier run, in either format.
std::string written(const Report& report, bool sarif) {
  std::ostringstream out;
  if (sarif) {
    write_sarif(out, report);
  } else {
    write_json(out, report);
  }
  return out.str();
}

TEST(Baseline, OnlyWhatIsNewCounts) {
  findings::Race other = race_on(0x2000, 4, {0x2000, findings::GlobalMemory{"other"}});
  other.first.stack = findings::Trace({line("/app/app.cpp", 30, "f")});
  for (const bool sarif : {false, true}) {
    const Baseline baseline = Baseline::parse(written(report_of(process_with({race_on_counter()})), sarif));
    ASSERT_EQ(baseline.races.size(), 1U);
    Report same = report_of(process_with({race_on_counter()}));
    EXPECT_TRUE(has_news(same));
    compare_with(same, baseline, "old");
    EXPECT_FALSE(has_news(same));
    EXPECT_EQ(same.baseline->known, 1U);

    Report more = report_of(process_with({race_on_counter(), other}));
    compare_with(more, baseline, "old");
    EXPECT_TRUE(has_news(more));
    std::ostringstream text;
    write_text(text, more, {});
    EXPECT_EQ(text.str().find("race on counter"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("write-write race on other (4 bytes)\n"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("old: 1 race is new, 1 was known, 0 are gone\n"), std::string::npos)
        << text.str();

    Report gone = report_of(clean_process());
    compare_with(gone, baseline, "old");
    ASSERT_EQ(gone.baseline->gone.size(), 1U);
    std::ostringstream gone_text;
    write_text(gone_text, gone, {});
    EXPECT_EQ(gone_text.str().find("gone: write-write race on counter (4 bytes)"), 0U) << gone_text.str();
  }
}

TEST(Baseline, WhatIsNoReportIsAnError) {
  for (const char* text : {"", "{", "[]", "{}", "3", R"({"runs": [{}]})", R"({"fingerprints": [1]})"}) {
    EXPECT_THROW(static_cast<void>(Baseline::parse(text)), std::runtime_error) << text;
  }
}

}  // namespace
}  // namespace anyorder::report
