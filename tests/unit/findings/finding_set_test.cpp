#include "findings/finding_set.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace anyorder::findings {
namespace {

using enum AccessKind;

Trace at_line(std::uint32_t line) { return Trace(Trace::Frames{{0x1000U + line, {"a.cpp", line, 1, "f"}}}); }

Trace at_address(std::uintptr_t pc) { return Trace(Trace::Frames{{pc, {}}}); }

Access access(AccessKind kind, std::uint32_t line, std::uint64_t task) {
  return {kind, task, at_line(line), at_line(900)};
}

Race race(std::uintptr_t address, std::uint64_t size, Access first, Access second) {
  return {address, size, std::move(first), std::move(second), {}};
}

Memory heap_block(std::uintptr_t base, std::uint32_t line) { return {base, HeapMemory{at_line(line)}}; }

// Everything that a snapshot says about its races, one line each, groups apart.
std::string text_of(const Findings& findings) {
  std::string text;
  for (const RaceGroup& group : findings.races) {
    text += "--\n";
    for (const Race& r : group.races) {
      text += std::string(to_string(r.kind())) + ' ' + std::to_string(r.address) + '+' +
              std::to_string(r.size) + " lines " + std::to_string(r.first.site().source.line) + ',' +
              std::to_string(r.second.site().source.line) + " tasks " + std::to_string(r.first.task) + ',' +
              std::to_string(r.second.task) + '\n';
    }
  }
  return text;
}

TEST(FindingSet, NothingAddedIsClean) {
  const FindingSet set;
  EXPECT_EQ(set.verdict(), Verdict::clean);
  EXPECT_EQ(set.snapshot().verdict(), Verdict::clean);
  EXPECT_EQ(set.snapshot().race_count(), 0U);
}

TEST(FindingSet, NeighbouringBytesOfOnePairAreOneEntry) {
  FindingSet set;
  for (std::uintptr_t byte = 100; byte < 104; ++byte) {
    set.add(race(byte, 1, access(write, 10, 1), access(read, 20, 2)));
  }
  EXPECT_EQ(text_of(set.snapshot()), "--\nwrite-read 100+4 lines 10,20 tasks 1,2\n");
}

TEST(FindingSet, BytesBetweenTwoRacyOnesAreNotRacy) {
  FindingSet set;
  set.add(race(100, 1, access(write, 10, 1), access(write, 20, 2)));
  set.add(race(102, 1, access(write, 10, 1), access(write, 20, 2)));
  EXPECT_EQ(text_of(set.snapshot()),
            "--\n"
            "write-write 100+1 lines 10,20 tasks 1,2\n"
            "write-write 102+1 lines 10,20 tasks 1,2\n");
  EXPECT_EQ(set.snapshot().races.at(0).bytes(), 2U);
}

TEST(FindingSet, AGroupHoldsBothOrdersAndAllKindsOfOnePairOfSites) {
  FindingSet set;
  set.add(race(100, 4, access(write, 20, 2), access(read, 10, 3)));
  set.add(race(200, 4, access(read, 10, 1), access(write, 20, 2)));
  set.add(race(100, 4, access(write, 10, 1), access(write, 20, 2)));
  set.add(race(100, 4, access(write, 10, 1), access(write, 30, 2)));
  EXPECT_EQ(text_of(set.snapshot()),
            "--\n"
            "write-write 100+4 lines 10,20 tasks 1,2\n"
            "write-read 100+4 lines 20,10 tasks 2,3\n"
            "read-write 200+4 lines 10,20 tasks 1,2\n"
            "--\n"
            "write-write 100+4 lines 10,30 tasks 1,2\n");
  EXPECT_EQ(set.snapshot().race_count(), 4U);
  EXPECT_EQ(set.snapshot().races.at(0).bytes(), 8U) << "each racy byte counts once";
}

TEST(FindingSet, OneLocationThatManyTasksRaceOnIsOneEntry) {
  FindingSet set;
  for (std::uint64_t task = 1; task < 1000; ++task) {
    set.add(race(100, 4, access(write, 10, task), access(write, 10, task + 1)));
  }
  EXPECT_EQ(text_of(set.snapshot()), "--\nwrite-write 100+4 lines 10,10 tasks 1,2\n");
}

TEST(FindingSet, ReadAndWriteOfOneLineInEitherOrderAreOneEntry) {
  FindingSet set;
  set.add(race(100, 4, access(write, 10, 5), access(read, 10, 6)));
  set.add(race(100, 4, access(read, 10, 1), access(write, 10, 2)));
  EXPECT_EQ(text_of(set.snapshot()), "--\nread-write 100+4 lines 10,10 tasks 1,2\n");
}

TEST(FindingSet, WithoutSymbolsSitesAreCodeAddresses) {
  FindingSet set;
  const auto at = [](std::uintptr_t pc, std::uint64_t task) {
    return Access{write, task, at_address(pc), {}};
  };
  set.add(race(100, 4, at(0x10, 1), at(0x20, 2)));
  set.add(race(200, 4, at(0x20, 1), at(0x10, 2)));
  set.add(race(300, 4, at(0x10, 1), at(0x30, 2)));
  EXPECT_EQ(set.snapshot().races.size(), 2U);
}

TEST(FindingSet, AddingAgainAfterSymbolizingGroupsByLine) {
  FindingSet raw;
  for (std::uintptr_t pc = 1; pc <= 5; ++pc) {
    raw.add(race(pc * 100, 4, {write, 1, at_address(pc), {}}, access(read, 20, 2)));
  }
  ASSERT_EQ(raw.snapshot().races.size(), 5U);
  FindingSet symbolized;
  for (const RaceGroup& group : raw.snapshot().races) {
    for (Race r : group.races) {
      auto& unnamed = r.first.kind == write ? r.first : r.second;
      unnamed.stack = at_line(10);
      symbolized.add(r);
    }
  }
  ASSERT_EQ(symbolized.snapshot().races.size(), 1U);
  EXPECT_EQ(symbolized.snapshot().race_count(), 5U);
}

TEST(FindingSet, NeighboursInDifferentObjectsStayApart) {
  FindingSet set;
  Race in_first = race(108, 8, access(write, 10, 1), access(write, 20, 2));
  in_first.memory = heap_block(100, 5);
  Race in_second = race(116, 8, access(write, 10, 1), access(write, 20, 2));
  in_second.memory = heap_block(116, 5);
  set.add(in_first);
  set.add(in_second);
  const auto races = set.snapshot().races.at(0).races;
  ASSERT_EQ(races.size(), 2U);
  EXPECT_EQ(races[0].offset(), 8U);
  EXPECT_EQ(races[1].offset(), 0U);
  EXPECT_EQ(std::get<HeapMemory>(races[0].memory.object).allocated_at, at_line(5));
}

TEST(FindingSet, ReusedMemoryIsTwoLocations) {
  FindingSet set;
  for (const std::uint32_t allocated_at : {5U, 6U}) {
    Race r = race(100, 4, access(write, 10, 1), access(write, 20, 2));
    r.memory = heap_block(100, allocated_at);
    set.add(r);
  }
  EXPECT_EQ(set.snapshot().race_count(), 2U);
  EXPECT_EQ(set.snapshot().races.at(0).bytes(), 4U);
}

TEST(FindingSet, OffsetsFollowWhenARangeIsCut) {
  FindingSet set;
  Race wide = race(100, 12, access(write, 10, 5), access(write, 20, 6));
  wide.memory = {96, GlobalMemory{"m"}};
  Race early = race(104, 4, access(write, 10, 1), access(write, 20, 2));
  early.memory = wide.memory;
  set.add(wide);
  set.add(early);
  const auto races = set.snapshot().races.at(0).races;
  ASSERT_EQ(races.size(), 3U);
  EXPECT_EQ(races[0].offset(), 4U);
  EXPECT_EQ(races[1].offset(), 8U);
  EXPECT_EQ(races[1].first.task, 1U);
  EXPECT_EQ(races[2].offset(), 12U);
}

TEST(FindingSet, SnapshotDoesNotDependOnTheOrderOrTheThreads) {
  std::mt19937 random(1);
  std::vector<Race> reports;
  for (int i = 0; i < 4000; ++i) {
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    reports.push_back(race(100 + below(300), 1 + below(8), access(write, 1 + below(3), below(20)),
                           access(below(2) == 0 ? read : write, 1 + below(3), below(20))));
  }
  FindingSet in_one_thread;
  for (const Race& report : reports) in_one_thread.add(report);
  const std::string expected = text_of(in_one_thread.snapshot());
  ASSERT_GT(expected.size(), 1000U);

  for (int repeat = 0; repeat < 5; ++repeat) {
    std::shuffle(reports.begin(), reports.end(), random);
    FindingSet set;
    std::vector<std::thread> threads;
    for (std::size_t part = 0; part < 4; ++part) {
      threads.emplace_back([&, part] {
        for (std::size_t i = part; i < reports.size(); i += 4) {
          set.add(reports[i]);
          if (i % 512 == part) {
            EXPECT_EQ(set.snapshot().verdict(), Verdict::race);
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(text_of(set.snapshot()), expected);
  }
}

// 100,000 locations on three pairs of lines, each reported by its own pair of tasks, with stacks that
// are equal but not shared when they come in: all are kept, and the frames are held once.
TEST(FindingSet, ManyRacesOnFewPairsShareTheirTraces) {
  constexpr std::uint64_t kRaces = 100'000;
  FindingSet set;
  for (std::uint64_t i = 0; i < kRaces; ++i) {
    const auto line = static_cast<std::uint32_t>(10 + i % 3);
    set.add(race(0x10000 + 8 * i, 4, access(write, line, i), access(write, 20, i + 1)));
  }
  const Findings findings = set.snapshot();
  ASSERT_EQ(findings.races.size(), 3U);
  EXPECT_EQ(findings.race_count(), kRaces);
  EXPECT_EQ(set.trace_count(), 5U) << "lines 10, 11, 12, 20, and where the tasks were created";
  const Race& model = findings.races[0].races[0];
  for (const Race& r : findings.races[0].races) {
    ASSERT_TRUE(r.first.stack.shares_frames_with(model.first.stack));
    ASSERT_TRUE(r.second.stack.shares_frames_with(model.second.stack));
    ASSERT_TRUE(r.first.created_at.shares_frames_with(model.second.created_at));
  }
}

TEST(FindingSet, BlocksAllocatedAtOnePlaceShareTheTrace) {
  FindingSet set;
  for (const std::uintptr_t base : {100U, 200U}) {
    Race r = race(base, 4, access(write, 10, 1), access(write, 20, 2));
    r.memory = heap_block(base, 5);
    set.add(r);
  }
  const auto races = set.snapshot().races.at(0).races;
  ASSERT_EQ(races.size(), 2U);
  EXPECT_TRUE(
      std::get<HeapMemory>(races[0].memory.object)
          .allocated_at.shares_frames_with(std::get<HeapMemory>(races[1].memory.object).allocated_at));
}

// Each report is a better witness than the one before, and the traces of those that gave way must go.
TEST(FindingSet, TracesOfReplacedWitnessesAreGivenBack) {
  FindingSet set;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    Race r = race(100, 4, access(write, 10, 10'000 - i), access(write, 20, 1));
    r.first.created_at = at_line(1000 + i);
    set.add(r);
  }
  EXPECT_GE(set.trace_count(), 4U);
  EXPECT_LE(set.trace_count(), 64U);
}

TEST(FindingSet, UnknownJoinsAreOneByTheirLines) {
  FindingSet set;
  UnknownJoin join;
  join.got_at = at_line(1);
  join.future_created_at = at_line(2);
  join.excused = true;
  EXPECT_TRUE(set.insert(join));
  EXPECT_EQ(set.verdict(), Verdict::unknown);
  join.task = 7;
  join.excused = false;
  EXPECT_FALSE(set.insert(join));
  join.future_created_at = at_line(3);
  EXPECT_TRUE(set.insert(join));
  const Findings found = set.snapshot();
  ASSERT_EQ(found.unknown_joins.size(), 2U);
  EXPECT_EQ(found.unknown_joins[0].count, 2U);
  EXPECT_FALSE(found.unknown_joins[0].excused);
  EXPECT_EQ(found.verdict(), Verdict::race);
  set.add(Deadlock{{{1, WaitKind::get, at_line(10), {}}}});
  EXPECT_EQ(set.verdict(), Verdict::deadlock);  // that one was seen
}

TEST(FindingSet, DeadlocksAreOneHoweverTheCycleIsTurned) {
  const Wait one{1, WaitKind::get, at_line(10), at_line(1)};
  const Wait two{2, WaitKind::get, at_line(20), at_line(2)};
  const Wait three{3, WaitKind::end_of_finish, at_line(30), at_line(3)};
  FindingSet set;
  set.add(Deadlock{{two, three, one}});
  set.add(Deadlock{{three, one, two}});
  set.add(Deadlock{{two, one, three}});  // the other way round is another cycle
  const auto deadlocks = set.snapshot().deadlocks;
  ASSERT_EQ(deadlocks.size(), 2U);
  EXPECT_EQ(deadlocks[0].cycle, (std::vector<Wait>{one, two, three}));
  EXPECT_EQ(deadlocks[1].cycle, (std::vector<Wait>{one, three, two}));
  EXPECT_EQ(set.verdict(), Verdict::deadlock);
}

TEST(FindingSet, UnsupportedIsCountedBySiteAndIsNeverClean) {
  FindingSet set;
  set.add(Unsupported{"future", "this detector takes async and finish only", at_line(20)});
  set.add(Unsupported{"future", "this detector takes async and finish only", at_line(10)});
  set.add(Unsupported{"future", "this detector takes async and finish only", at_line(20)});
  const Findings findings = set.snapshot();
  ASSERT_EQ(findings.unsupported.size(), 2U);
  EXPECT_EQ(findings.unsupported[0].where, at_line(10));
  EXPECT_EQ(findings.unsupported[0].count, 1U);
  EXPECT_EQ(findings.unsupported[1].where, at_line(20));
  EXPECT_EQ(findings.unsupported[1].count, 2U);
  EXPECT_EQ(findings.verdict(), Verdict::unknown);
}

TEST(FindingSet, OfUnsupportedWaysToOneSiteTheSmallestIsKept) {
  const auto called_from = [](std::uint32_t line) {
    return Trace(Trace::Frames{{1, {"a.cpp", 10, 1, "f"}}, {2, {"a.cpp", line, 1, "g"}}});
  };
  for (const auto& [first, second] : {std::pair(50U, 60U), std::pair(60U, 50U)}) {
    FindingSet set;
    set.add(Unsupported{"future", "why", called_from(first)});
    set.add(Unsupported{"future", "why", called_from(second)});
    const auto unsupported = set.snapshot().unsupported;
    ASSERT_EQ(unsupported.size(), 1U);
    EXPECT_EQ(unsupported[0].where, called_from(50));
  }
}

TEST(FindingSet, WhatWasFoundStandsBesideWhatCouldNotBeJudged) {
  FindingSet set;
  set.add(Unsupported{"future", "why", {}});
  set.add(Deadlock{{{1, WaitKind::get, at_line(10), {}}}});
  EXPECT_EQ(set.verdict(), Verdict::deadlock);
  set.add(race(100, 4, access(write, 10, 1), access(write, 20, 2)));
  EXPECT_EQ(set.verdict(), Verdict::race);
  EXPECT_EQ(set.snapshot().verdict(), Verdict::race);
}

TEST(FindingSetDeathTest, RefusesWhatIsNoRace) {
  FindingSet set;
  EXPECT_DEATH(set.add(race(100, 4, access(read, 10, 1), access(read, 20, 2))), "two reads");
  EXPECT_DEATH(set.add(race(100, 0, access(write, 10, 1), access(read, 20, 2))), "byte");
  EXPECT_DEATH(set.add(Deadlock{}), "waits");
}

}  // namespace
}  // namespace anyorder::findings
