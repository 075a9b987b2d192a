// The fuzzer itself: it finds what is wrong, and makes it small.
#include <algorithm>
#include <gtest/gtest.h>
#include <ostream>
#include <set>
#include <string>

#include "detectors.hpp"
#include "interpreted.hpp"
#include "shrink.hpp"
#include "text.hpp"

namespace anyorder::differential {
namespace {

std::vector<Program> generated(Family family, std::uint64_t seed, std::size_t count) {
  std::vector<Program> programs;
  for (std::size_t i = 0; i < count; ++i) programs.push_back(generate(family, seed + i));
  return programs;
}

Prediction predict_text(const std::string& text) {
  return predict(read_programs("program {" + text + "}").at(0));
}

std::set<RacyByte> bytes(int object, int from, int to) {
  std::set<RacyByte> all;
  for (int byte = from; byte < to; ++byte) all.insert({object, byte});
  return all;
}

// --- A model that is wrong on purpose is found out
// -----------------------------------------------------------

struct WrongModel {
  Flaw flaw;
  Family family;
  std::size_t statements;  // of the smallest program that shows it
};

// Part of the test's name: without it the bytes of the object, padding and all.
void PrintTo(const WrongModel& wrong, std::ostream* out) {
  *out << kFlaws[static_cast<std::size_t>(wrong.flaw) - 1].second;
}

class WrongModels : public testing::TestWithParam<WrongModel> {};

TEST_P(WrongModels, AreFoundAndShrunk) {
  const Flaw flaw = GetParam().flaw;
  const BatchRun run = interpreted_with(detector_named("graph"));
  const std::vector<Program> programs = generated(GetParam().family, 1, 100);
  const auto found = check(programs, flaw, run);
  const auto first =
      std::find_if(found.begin(), found.end(), [](const auto& one) { return one.has_value(); });
  ASSERT_NE(first, found.end());
  const Program small = shrink(programs[static_cast<std::size_t>(first - found.begin())],
                               [&, kind = (*first)->kind](const std::vector<Program>& candidates) {
                                 std::vector<bool> answers;
                                 for (const auto& one : check(candidates, flaw, run)) {
                                   answers.push_back(one && one->kind == kind);
                                 }
                                 return answers;
                               });
  EXPECT_LE(statement_count(small.body), GetParam().statements) << to_text(small);
  const std::vector<Program> kept = read_programs(to_text(small));
  EXPECT_TRUE(check(kept, flaw, run).front()) << to_text(small);
  EXPECT_FALSE(check(kept, Flaw::none, run).front()) << to_text(small);
}

INSTANTIATE_TEST_SUITE_P(Fuzzer, WrongModels,
                         testing::Values(WrongModel{Flaw::forgets_gets, Family::futures, 4},
                                         WrongModel{Flaw::forgets_frees, Family::asyncs, 4},
                                         WrongModel{Flaw::forgets_escapes, Family::asyncs, 5},
                                         WrongModel{Flaw::forgets_handles, Family::futures, 3},
                                         WrongModel{Flaw::forgets_isolated, Family::isolated, 4}),
                         [](const auto& tested) {
                           return "Forgets_" +
                                  std::string(kFlaws[static_cast<std::size_t>(tested.param.flaw) - 1].second);
                         });

TEST(Fuzzer, ReportsARunThatFails) {
  const std::vector<Program> programs = generated(Family::asyncs, 1, 2);
  const auto found = check(programs, Flaw::none, [](std::span<const Question> questions) {
    CheckedRun run;
    run.failure = questions[0].program->name == "asyncs-2" || questions.size() > 1 ? "it crashed" : "";
    if (run.failure.empty()) run = interpreted_with(detector_named("graph"))(questions);
    return run;
  });
  EXPECT_FALSE(found[0]);
  ASSERT_TRUE(found[1]);
  EXPECT_EQ(found[1]->kind, DisagreementKind::failure);
}

TEST(Fuzzer, ReportsRacesOutsideOfAllObjects) {
  const std::vector<Program> programs = read_programs("program { async { write v0 0 1 } }");
  const auto found = check(programs, Flaw::none, [](std::span<const Question> questions) {
    CheckedRun run = interpreted_with(detector_named("graph"))(questions);
    run.racy.insert(run.map[0][0].address + kVariableBytes * 100);
    return run;
  });
  ASSERT_TRUE(found[0]);
  EXPECT_EQ(found[0]->kind, DisagreementKind::false_alarm);
}

// --- The programs
// --------------------------------------------------------------------------------------------

TEST(Programs, AreTheSameAfterText) {
  for (const auto& [family, name] : kFamilies) {
    for (const Program& program : generated(family, 1, 200)) {
      const std::vector<Program> read = read_programs(to_text(program));
      ASSERT_EQ(read.size(), 1U);
      EXPECT_EQ(read[0].name, program.name);
      EXPECT_EQ(read[0].body, program.body) << to_text(program);
    }
  }
}

TEST(Programs, HaveOnlyTheConstructsOfTheirFamily) {
  for (const auto& [family, name] : kFamilies) {
    std::size_t racy = 0;
    for (const Program& program : generated(family, 1000, 300)) {
      const Prediction prediction = predict(program);
      const bool all = family == Family::all;
      EXPECT_TRUE(family != Family::loops || prediction.is_fork_join) << to_text(program);
      EXPECT_TRUE(all || family == Family::futures || family == Family::regions || !prediction.uses_futures)
          << to_text(program);
      EXPECT_TRUE(all || family == Family::isolated || !prediction.uses_isolated) << to_text(program);
      racy += prediction.racy.empty() ? 0 : 1;
    }
    // Both answers are put to the test.
    EXPECT_GT(racy, 30U) << name;
    EXPECT_LT(racy, 290U) << name;
  }
}

TEST(Programs, AreReadWithTheLineOfAnError) {
  try {
    static_cast<void>(read_programs("program {\n  read v0 0 4\n  get b0\n}\n"));
    FAIL() << "get b0 was read";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos) << error.what();
  }
  EXPECT_THROW(static_cast<void>(read_programs("program { isolated { async { } } }")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(read_programs("program { write v9 0 1 }")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(read_programs("program { write v0 0 0 }")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(read_programs("program { async {")), std::runtime_error);
}

// --- The model, by hand
// --------------------------------------------------------------------------------------

TEST(Model, JoinsByFinishAndGet) {
  EXPECT_EQ(predict_text("async { write v0 0 4 } read v0 2 4").racy, bytes(0, 2, 4));
  EXPECT_TRUE(predict_text("finish { async { write v0 0 4 } } read v0 2 4").racy.empty());
  EXPECT_TRUE(predict_text("future h0 { write v0 0 4 } get h0 read v0 2 4").racy.empty());
  EXPECT_EQ(predict_text("future h0 { write v0 0 4 } read v0 2 4").racy, bytes(0, 2, 4));
}

TEST(Model, JoinsByRegions) {
  EXPECT_EQ(predict_text("region { post { write v0 0 4 } read v0 2 4 }").racy, bytes(0, 2, 4));
  EXPECT_TRUE(predict_text("region { post { write v0 0 4 } await read v0 2 4 }").racy.empty());
  EXPECT_TRUE(predict_text("region { post { write v0 0 4 } } read v0 2 4").racy.empty());
  // A handler comes after its task and those before it, and beside those after it.
  EXPECT_TRUE(predict_text("region { post { write v0 0 4 } post then read v0 0 4 { } }").racy.empty());
  EXPECT_EQ(predict_text("region { post then read v0 0 4 { } post { write v0 0 4 } }").racy, bytes(0, 0, 4));
  // What a task leaves is its parent's; what it awaits is its own.
  EXPECT_TRUE(predict_text("region { post { post { write v0 0 4 } } await read v0 0 4 }").racy.empty());
  EXPECT_EQ(predict_text("region { post { post { write v0 0 4 } read v0 0 4 } }").racy, bytes(0, 0, 4));
  EXPECT_TRUE(predict_text("region { post { post { write v0 0 4 } await read v0 0 4 } }").racy.empty());
  EXPECT_EQ(predict_text("region { async { post { write v0 0 4 } } }").executed, 2);
}

TEST(Model, TakesHandlesForData) {
  EXPECT_EQ(predict_text("future h1 { } async { get h1 } move h1 -> h2").racy,
            bytes(kVariables + 1, 0, kHandleBytes));
  EXPECT_TRUE(predict_text("future h1 { } async { get h1 } copy h1 -> h2").racy.empty());
  EXPECT_TRUE(predict_text("future h1 { } async [h1] { get c0 } move h1 -> h2").racy.empty());
}

TEST(Model, TakesAFreeForAWriteAndANewBlockForAnother) {
  const int block = kVariables + kHandles;
  EXPECT_EQ(predict_text("allocate b0 8 async { read b0 4 1 } free b0").racy, bytes(block, 4, 5));
  EXPECT_TRUE(predict_text("allocate b0 8 async { free b0 } allocate b0 8 write b0 0 1").racy.empty());
}

TEST(Model, LeavesTheOrderOfSectionsUndecided) {
  const Prediction by_order =
      predict_text("async { write v0 0 1 isolated { } } async { isolated { } write v0 0 1 }");
  EXPECT_TRUE(by_order.racy.empty());
  EXPECT_TRUE(by_order.undecided);
  const Prediction exclusive = predict_text("async { isolated { write v0 0 1 } } isolated { write v0 0 1 }");
  EXPECT_TRUE(exclusive.racy.empty());
  EXPECT_FALSE(exclusive.undecided);
  EXPECT_EQ(predict_text("async { isolated o0 { write v0 0 1 } } isolated o1 { write v0 0 1 }").racy,
            bytes(0, 0, 1));
}

}  // namespace
}  // namespace anyorder::differential
