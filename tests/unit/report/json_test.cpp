// The JSON, read back and compared with the contract.
#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "sample.hpp"

namespace anyorder::report {
namespace {

using nlohmann::json;

std::string written(const Report& report) {
  std::ostringstream out;
  write_json(out, report);
  return out.str();
}

json parsed(const Report& report) { return json::parse(written(report)); }

Report report_of(const record::Process& process) {
  return make_report({process}, {{"./app", "a b"}, "dtrg", 3, 0, false, 0.25, 4096});
}

json one_race(const findings::Race& race) {
  const json all = parsed(report_of(process_with({race}))).at("races");
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

TEST(Json, ACleanRun) {
  record::Process process = clean_process();
  process.counters = {10, 6, 4, 3, 2, 1, 100, 50, 7};
  process.statistics = {{"non_tree_joins", 5}, {"average_readers", 2}, {"cells", 2.5}};
  process.notes = {"something"};
  EXPECT_EQ(parsed(report_of(process)), json::parse(R"json({
    "verdict": "clean", "covers": "all schedules of this input", "detector": "dtrg",
    "command": ["./app", "a b"], "exit_code": 3,
    "joins": "off", "races": [], "fingerprints": [], "expected": [], "remedies": [], "deadlocks": [], "unknown_joins": [], "unsupported": [],
    "notes": ["something"],
    "stats": { "tasks": 10, "asyncs": 6, "futures": 4, "finishes": 3, "gets": 2, "non_tree_joins": 5,
               "isolated": 1, "reads": 100, "writes": 50, "atomics": 7, "average_readers": 2.0,
               "seconds": 0.25, "peak_bytes": 4096, "cells": 2.5 } })json"));
  EXPECT_EQ(written(report_of(process)).back(), '\n');
}

TEST(Json, AHistogramIsAnObjectWithItsRowsInOrder) {
  record::Process process = clean_process();
  process.statistics = {{"visits/0", 7}, {"visits/1", 0}, {"visits/2", 9007199254740991.0}, {"joins", 1e6}};
  const std::string text = written(report_of(process));
  EXPECT_NE(text.find(R"("visits":{"0":7,"1":0,"2":9007199254740991},"joins":1000000)"), std::string::npos)
      << text;
}

TEST(Json, TheKeysOfTheContractAreAlwaysThere) {
  const json stats = parsed(make_report({}, {})).at("stats");
  for (const char* key : {"tasks", "asyncs", "futures", "finishes", "gets", "non_tree_joins", "reads",
                          "writes", "average_readers", "seconds", "peak_bytes"}) {
    EXPECT_TRUE(stats.contains(key)) << key;
  }
  EXPECT_TRUE(stats.at("non_tree_joins").is_number_integer());
  EXPECT_TRUE(stats.at("average_readers").is_number_float());
}

TEST(Json, ARaceOnAGlobal) {
  findings::Race race = race_on_counter();
  race.address += 12;
  race.first.stack = findings::Trace({{0x10, {"/usr/include/c++/12/bits/stl_vector.h", 1126, 25, "std::f()"}},
                                      {0x10, {"/app/app.cpp", 12, 7, "work(int)"}}});
  race.second.kind = findings::AccessKind::read;
  EXPECT_EQ(one_race(race), json::parse(R"json({
    "kind": "write-read", "variable": "counter", "symbol": "counter", "offset": 12, "size": 4,
    "address": "0x100c", "parted_in": 0,
    "first": { "access": "write", "file": "/app/app.cpp", "line": 12, "column": 7, "function": "work(int)",
               "task": 3, "creations_apart": 1,
               "stack": [ { "file": "/usr/include/c++/12/bits/stl_vector.h", "line": 1126, "column": 25,
                            "function": "std::f()" },
                          { "file": "/app/app.cpp", "line": 12, "column": 7, "function": "work(int)" } ],
               "created_at": [ { "file": "/app/app.cpp", "line": 11, "function": "main" } ] },
    "second": { "access": "read", "file": "/app/app.cpp", "line": 15, "function": "rest()", "task": 5,
                "creations_apart": 1, "stack": [ { "file": "/app/app.cpp", "line": 15, "function": "rest()" } ],
                "created_at": [ { "file": "/app/app.cpp", "line": 14, "function": "main" } ] } })json"));
}

TEST(Json, ARaceOnTheHeap) {
  const findings::Trace allocated({line("/app/app.cpp", 8, "main")});
  const json race = one_race(race_on(0x5008, 8, {0x5000, findings::HeapMemory{allocated, 64}}));
  EXPECT_EQ(race.at("block_size"), 64);
  EXPECT_EQ(race.at("allocated_at"),
            json::parse(R"json([ { "file": "/app/app.cpp", "line": 8, "function": "main" } ])json"));
  EXPECT_EQ(race.at("offset"), 8);
  EXPECT_FALSE(race.contains("symbol"));
  EXPECT_FALSE(race.contains("local_of"));
}

TEST(Json, ARaceOnALocal) {
  const json known = one_race(race_on(0x7010, 4, {0x7000, findings::LocalMemory{"main", "x", 0, 0x7100}}));
  EXPECT_EQ(known.at("local_of"), json::parse(R"json({ "function": "main", "variable": "x" })json"));
  EXPECT_EQ(known.at("offset"), 16);
  const json unknown = one_race(race_on(0x7010, 4, {0, findings::LocalMemory{"main", "", 0, 0}}));
  EXPECT_EQ(unknown.at("local_of"), json::parse(R"json({ "function": "main" })json"));
  EXPECT_FALSE(unknown.contains("offset"));
}

TEST(Json, ARaceOnMemoryOfWhichNothingIsKnown) {
  const json race = one_race(race_on(0xdeadbeef, 1, {}));
  EXPECT_EQ(race.at("address"), "0xdeadbeef");
  for (const char* key : {"symbol", "offset", "allocated_at", "local_of"})
    EXPECT_FALSE(race.contains(key)) << key;
}

TEST(Json, AnAccessHasTheSourcesWords) {
  findings::Race race = race_on_counter();
  findings::Frame at = line("/app/app.cpp", 12, "work(int)");
  at.expression = "this->cells[...]";
  race.first.stack = findings::Trace({at});
  const json found = one_race(race);
  EXPECT_EQ(found.at("first").at("expression"), "this->cells[...]");
  EXPECT_FALSE(found.at("second").contains("expression"));
}

TEST(Json, WhereThereIsNoLineThereIsTheAddress) {
  findings::Race race = race_on_counter();
  race.first.stack = findings::Trace({findings::Frame{0x401234, {}}});
  record::Process process = process_with({race});
  process.modules = {{0x400000, 0x500000, 0x400000, "/nowhere/lib.so"}};
  const json first = parsed(report_of(process)).at("races").at(0).at("first");
  EXPECT_EQ(first.at("pc"), "0x401234");
  EXPECT_EQ(first.at("module"), "/nowhere/lib.so");
  EXPECT_FALSE(first.contains("file"));
  EXPECT_EQ(first.at("stack"),
            json::parse(R"json([ { "pc": "0x401234", "module": "/nowhere/lib.so" } ])json"));
}

TEST(Json, EveryRacyLocationIsListed) {
  std::vector<findings::Race> races;
  for (std::uintptr_t i = 0; i < 500; ++i) {
    races.push_back(race_on(0x1000 + 8 * i, 4, {0x1000, findings::GlobalMemory{"list"}}));
  }
  const json all = parsed(report_of(process_with(races)));
  EXPECT_EQ(all.at("verdict"), "race");
  ASSERT_EQ(all.at("races").size(), 500U);
  for (std::size_t i = 0; i < 500; ++i) EXPECT_EQ(all.at("races").at(i).at("offset"), 8 * i);
}

TEST(Json, ADeadlock) {
  record::Process process = clean_process();
  const findings::Trace created({line("/app/app.cpp", 5, "main")});
  process.findings.deadlocks.push_back(
      {{{1, findings::WaitKind::get, findings::Trace({line("/app/app.cpp", 20, "f")}), created},
        {2, findings::WaitKind::end_of_finish, findings::Trace({line("/app/app.cpp", 30, "g")}), {}}}});
  const json all = parsed(report_of(process));
  EXPECT_EQ(all.at("verdict"), "deadlock");
  EXPECT_EQ(all.at("deadlocks"), json::parse(R"json([ { "tasks": [1, 2], "cycle": [
    { "task": 1, "wait": "get", "waits_at": [ { "file": "/app/app.cpp", "line": 20, "function": "f" } ],
      "created_at": [ { "file": "/app/app.cpp", "line": 5, "function": "main" } ] },
    { "task": 2, "wait": "end of finish",
      "waits_at": [ { "file": "/app/app.cpp", "line": 30, "function": "g" } ], "created_at": [] } ] } ])json"));
}

TEST(Json, AnUnknownJoinOfARun) {
  record::Process process = clean_process();
  findings::UnknownJoin join;
  join.task = 3;
  join.got_at = findings::Trace({line("/app/app.cpp", 20, "f")});
  join.created_at = findings::Trace({line("/app/app.cpp", 5, "main")});
  join.future = 4;
  join.future_created_at = findings::Trace({line("/app/app.cpp", 6, "main")});
  join.count = 2;
  process.findings.unknown_joins.push_back(join);
  RunFacts run;
  run.command = {"./app"};
  run.joins = "known";
  const json all = parsed(make_report({process}, run));
  EXPECT_EQ(all.at("verdict"), "race");
  EXPECT_EQ(all.at("covers"), "this schedule");
  EXPECT_EQ(all.at("detector"), "none");
  EXPECT_EQ(all.at("joins"), "known");
  EXPECT_EQ(all.at("unknown_joins"),
            json::parse(R"json([ { "file": "/app/app.cpp", "line": 20, "function": "f",
    "task": 3, "created_at": [ { "file": "/app/app.cpp", "line": 5, "function": "main" } ],
    "future": { "task": 4, "created_at": [ { "file": "/app/app.cpp", "line": 6, "function": "main" } ] },
    "count": 2 } ])json"));
}

TEST(Json, WhatWasNotJudged) {
  record::Process process = clean_process();
  process.findings.unsupported.push_back(
      {"future", "Not with this detector.", findings::Trace({line("/app/app.cpp", 9, "main")}), 3});
  process.findings.unsupported.push_back({"thread", "Started by the program.", {}, 1});
  process.coverage = findings::Coverage::one_isolated_order;
  const json all = parsed(report_of(process));
  EXPECT_EQ(all.at("verdict"), "unknown");
  EXPECT_EQ(all.at("covers"), "one order of isolated sections");
  EXPECT_EQ(all.at("unsupported"), json::parse(R"json([
    { "construct": "future", "why": "Not with this detector.", "count": 3, "file": "/app/app.cpp", "line": 9,
      "function": "main" },
    { "construct": "thread", "why": "Started by the program.", "count": 1 } ])json"));
}

TEST(Json, ASignal) {
  const json all = parsed(make_report({clean_process()}, {{"./app"}, "dtrg", 0, SIGSEGV, true, 0, 0}));
  EXPECT_EQ(all.at("signal"), SIGSEGV);
  EXPECT_EQ(all.at("signal_name"), "SIGSEGV");
  EXPECT_EQ(all.at("interrupted"), true);
  EXPECT_FALSE(all.contains("exit_code"));
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  findings::Race race = race_on(0x1000, 4, {0x1000, findings::GlobalMemory{"caf\xe9 \"x\"\n"}});
  record::Process process = process_with({race});
  process.notes = {"\xff\xfe"};
  const json all = parsed(make_report({process}, {{"./\xc3"}, "dtrg", 0, 0, false, 0, 0}));
  EXPECT_EQ(all.at("races").at(0).at("symbol"), "caf\xef\xbf\xbd \"x\"\n");
  EXPECT_EQ(all.at("command").at(0), "./\xef\xbf\xbd");
  EXPECT_EQ(all.at("notes").at(0), "\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace anyorder::report
