#include "findings/verdict.hpp"

#include <gtest/gtest.h>

#include "findings/deadlock.hpp"
#include "findings/race.hpp"

namespace anyorder::findings {
namespace {

// The whole truth table: what was found stands, and nothing unjudged ends in clean.
static_assert(verdict_of(false, false, false) == Verdict::clean);
static_assert(verdict_of(false, false, true) == Verdict::unknown);
static_assert(verdict_of(false, true, false) == Verdict::deadlock);
static_assert(verdict_of(false, true, true) == Verdict::deadlock);
static_assert(verdict_of(true, false, false) == Verdict::race);
static_assert(verdict_of(true, false, true) == Verdict::race);
static_assert(verdict_of(true, true, false) == Verdict::race);
static_assert(verdict_of(true, true, true) == Verdict::race);

TEST(Verdict, NamesAreThoseOfTheJson) {
  EXPECT_EQ(to_string(Verdict::clean), "clean");
  EXPECT_EQ(to_string(Verdict::race), "race");
  EXPECT_EQ(to_string(Verdict::deadlock), "deadlock");
  EXPECT_EQ(to_string(Verdict::unknown), "unknown");
}

TEST(Coverage, NamesAreThoseOfTheJson) {
  EXPECT_EQ(to_string(Coverage::all_schedules), "all schedules of this input");
  EXPECT_EQ(to_string(Coverage::one_isolated_order), "one order of isolated sections");
}

TEST(RaceKind, IsDerivedFromTheTwoAccesses) {
  Race race;
  race.first.kind = AccessKind::write;
  race.second.kind = AccessKind::write;
  EXPECT_EQ(to_string(race.kind()), "write-write");
  race.second.kind = AccessKind::read;
  EXPECT_EQ(to_string(race.kind()), "write-read");
  race.first.kind = AccessKind::read;
  race.second.kind = AccessKind::write;
  EXPECT_EQ(to_string(race.kind()), "read-write");
}

TEST(AccessKind, NamesAreThoseOfTheJson) {
  EXPECT_EQ(to_string(AccessKind::read), "read");
  EXPECT_EQ(to_string(AccessKind::write), "write");
}

TEST(WaitKind, NamesSayWhatIsWaitedAt) {
  EXPECT_EQ(to_string(WaitKind::get), "get");
  EXPECT_EQ(to_string(WaitKind::end_of_finish), "end of finish");
}

}  // namespace
}  // namespace anyorder::findings
