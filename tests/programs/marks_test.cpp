#include "marks.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace anyorder::programs {
namespace {

Pair pair_of(const std::string& a, bool a_writes, const std::string& b, bool b_writes) {
  return make_pair_of({a, a_writes}, {b, b_writes});
}

TEST(Marks, TwoLinesMakeAPair) {
  const Marks marks = parse_marks("p.race.cpp",
                                  "int x;\n"
                                  "x = 1;  // RACE(a): write\n"
                                  "y = x;  // RACE(a): read\n");
  EXPECT_EQ(marks.verdict, "race");
  EXPECT_EQ(marks.required, std::set<Pair>({pair_of("2", true, "3", false)}));
  EXPECT_TRUE(marks.allowed.empty());
}

TEST(Marks, OrderOfTheEndsDoesNotMatter) {
  EXPECT_EQ(pair_of("2", true, "10", false), pair_of("10", false, "2", true));
  EXPECT_NE(pair_of("2", true, "10", false), pair_of("2", false, "10", true));
}

TEST(Marks, ALineMayRaceWithItself) {
  const Marks marks = parse_marks("p.race.cpp", "x = i;  // RACE(a): write write\n");
  EXPECT_EQ(marks.required, std::set<Pair>({pair_of("1", true, "1", true)}));
}

TEST(Marks, ALineMayHaveSeveral) {
  const Marks marks = parse_marks("p.race.cpp",
                                  "x = 1;  // RACE(a): write RACE(b): write\n"
                                  "x = 2;  // RACE(a): write\n"
                                  "y = x;  // because of this RACE(b): read\n");
  EXPECT_EQ(marks.required, std::set<Pair>({pair_of("1", true, "2", true), pair_of("1", true, "3", false)}));
}

TEST(Marks, AnUpdateHasToWriteAndMayRead) {
  const Marks two = parse_marks("p.race.cpp", "++x;  // RACE(a): update\n++x;  // RACE(a): update\n");
  EXPECT_EQ(two.required, std::set<Pair>({pair_of("1", true, "2", true)}));
  EXPECT_EQ(two.allowed, std::set<Pair>({pair_of("1", true, "2", false), pair_of("1", false, "2", true)}));

  const Marks with_read = parse_marks("p.race.cpp", "++x;  // RACE(a): update\ny = x;  // RACE(a): read\n");
  EXPECT_EQ(with_read.required, std::set<Pair>({pair_of("1", true, "2", false)}));
  EXPECT_TRUE(with_read.allowed.empty());

  const Marks itself = parse_marks("p.race.cpp", "++x;  // RACE(a): update update\n");
  EXPECT_EQ(itself.required, std::set<Pair>({pair_of("1", true, "1", true)}));
  EXPECT_EQ(itself.allowed, std::set<Pair>({pair_of("1", false, "1", true)}));
}

TEST(Marks, RequiredIsNotAllowed) {
  const Marks marks = parse_marks("p.race.cpp",
                                  "++x;      // RACE(a): update RACE(b): read\n"
                                  "x = 2;    // RACE(a): write RACE(b): write\n");
  EXPECT_EQ(marks.required, std::set<Pair>({pair_of("1", true, "2", true), pair_of("1", false, "2", true)}));
  EXPECT_TRUE(marks.allowed.empty());
}

TEST(Marks, Sentences) {
  const Marks marks = parse_marks("p.unknown.cpp", "f();  // UNKNOWN: run anyorder explore \n");
  EXPECT_EQ(marks.verdict, "unknown");
  EXPECT_EQ(marks.sentences, std::vector<std::string>({"run anyorder explore"}));
}

TEST(Marks, ThePathMayHaveFoldersAndDots) {
  EXPECT_EQ(parse_marks("/a.b/p.q.clean.cpp", "").verdict, "clean");
}

TEST(Marks, NoVerdictInTheName) {
  EXPECT_THROW(static_cast<void>(parse_marks("p.cpp", "")), BadMarks);
  EXPECT_THROW(static_cast<void>(parse_marks("p.dirty.cpp", "")), BadMarks);
}

TEST(Marks, MarksHaveToFitTheVerdict) {
  EXPECT_THROW(static_cast<void>(parse_marks("p.race.cpp", "")), BadMarks);
  EXPECT_THROW(static_cast<void>(parse_marks("p.unknown.cpp", "")), BadMarks);
  EXPECT_THROW(static_cast<void>(parse_marks("p.clean.cpp", "x = 1;  // RACE(a): write write\n")), BadMarks);
  EXPECT_THROW(static_cast<void>(parse_marks("p.clean.cpp", "f();  // UNKNOWN: thread\n")), BadMarks);
}

TEST(Marks, EachNameHasTwoEnds) {
  const std::string line = "x = 1;  // RACE(a): write\n";
  EXPECT_THROW(static_cast<void>(parse_marks("p.race.cpp", line)), BadMarks);
  EXPECT_NO_THROW(static_cast<void>(parse_marks("p.race.cpp", line + line)));
  EXPECT_THROW(static_cast<void>(parse_marks("p.race.cpp", line + line + line)), BadMarks);
}

TEST(Marks, TwoReadsAreNoRace) {
  EXPECT_THROW(static_cast<void>(parse_marks("p.race.cpp", "y = x;  // RACE(a): read read\n")), BadMarks);
}

TEST(Marks, AMistypedMarkIsAnError) {
  for (const char* line : {"x = 1;  // RACE(a) write write\n", "x = 1;  // RACE(a): writes write\n",
                           "x = 1;  // RACE: write write\n", "RACE(a): write write\n"}) {
    EXPECT_THROW(static_cast<void>(parse_marks("p.race.cpp", line)), BadMarks) << line;
  }
  EXPECT_THROW(static_cast<void>(parse_marks("p.unknown.cpp", "f();  // UNKNOWN thread\n")), BadMarks);
}

}  // namespace
}  // namespace anyorder::programs
