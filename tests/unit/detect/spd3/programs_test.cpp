// The programs on which the algorithms of SPD3 fail as they are printed, and those that pin what this
// detector does instead. Each in all orders that ten seeds choose: an order that a serial run never has is
// what many of them are about.
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>

#include "run.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::spd3 {
namespace {

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, HaveTheirVerdictInEveryOrder) { expect_verdict_in_every_order<Checked>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Algorithm1, Programs,
    testing::Values(Case{"read_and_write", {async({read(0)}), write(0)}, kRace},
                    Case{"write_and_write", {async({write(0)}), write(0)}, kRace},
                    Case{"joined", {finish({async({write(0)}), async({write(1)})}), write(0, 2)}, kClean},
                    Case{"before_the_creation", {write(0), async({write(0)})}, kClean},
                    Case{"first_writer_joined_second_not",
                         {finish({async({write(0)})}), async({write(0)}), read(0)},
                         kRace},
                    // The reader precedes the write; what comes later is in parallel with both or with none.
                    Case{"readers_go_with_a_write", {read(0), async({write(0)}), async({write(0)})}, kRace}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Algorithm2, Programs,
    testing::Values(
        // As printed r2 is never set: missed when main reads first.
        Case{"second_reader", {async({read(0)}), read(0), write(0)}, kRace},
        Case{"second_reader_in_a_finish", {async({read(0)}), finish({async({read(0)})}), write(0)}, kRace},
        Case{"both_readers_joined", {finish({async({read(0)}), async({read(0)})}), write(0)}, kClean},
        // Parallel with one of the two: no update.
        Case{"third_reader_below",
             {async({read(0), async({read(0)}), read(0)}), async({read(0)}), finish({read(0)})},
             kClean},
        // Without the test of the lowest common ancestors a reader outside of their subtree is lost.
        Case{"reader_outside_of_the_subtree",
             {async({finish({async({read(0)}), async({read(0)})}), write(0)}), async({read(0)})},
             kRace},
        Case{"readers_inside_and_outside",
             {finish({async({finish({async({read(0)}), async({read(0)}), async({read(0)})})}),
                      async({read(0)})}),
              write(0)},
             kClean}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Bytes, Programs,
    testing::Values(Case{"neighbours", {async({write(0)}), async({write(1)}), write(2), write(3, 5)}, kClean},
                    Case{"overlap_by_one", {async({write(0, 4)}), write(3, 4)}, kRace},
                    Case{"over_two_words", {async({write(6, 4)}), read(9)}, kRace},
                    Case{"beside_two_words", {async({write(6, 4)}), read(10, 6), read(0, 6)}, kClean},
                    // The own write of one byte does not hide the read of its neighbour.
                    Case{"own_bytes_in_a_word", {async({write(1)}), write(0), read(0, 2)}, kRace}),
    name_of);

TEST(Memory, ThatIsForgottenIsAnotherLocation) {
  EXPECT_EQ(Checked({async({write(0, 8)}), forget(0, 8), read(0, 8)}).verdict(), kClean);
  EXPECT_EQ(Checked({async({write(0, 8)}), forget(0, 4), read(0, 4)}).verdict(), kClean);
  EXPECT_EQ(Checked({async({write(0, 8)}), forget(0, 4), read(4, 4)}).verdict(), kRace);
  EXPECT_EQ(Checked({async({write(0, 40)}), forget(3, 30), read(3, 30)}).verdict(), kClean);
  EXPECT_EQ(Checked({async({write(0, 40)}), forget(3, 30), read(3, 31)}).verdict(), kRace);
}

// Every place that is named is right, also where one step accesses the bytes of a word at many.
TEST(Places, AreThoseOfTheBytes) {
  const Program program{async({write(0), write(1), write(2, 2), write(4, 4), read(0, 8)}),
                        async({read(0, 8)})};
  // SerialRun numbers statements in the order in which it comes to them: the async is 1.
  const Checked checked(program);
  std::set<std::pair<std::uintptr_t, std::uintptr_t>> found;  // byte, place of the write
  for (const auto& group : checked.findings.snapshot().races) {
    for (const auto& race : group.races) {
      EXPECT_EQ(race.first.kind, findings::AccessKind::write);
      EXPECT_EQ(race.second.stack.innermost().pc, 8U);
      for (std::uint64_t i = 0; i != race.size; ++i) {
        found.emplace(race.address + i - kMemory, race.first.stack.innermost().pc);
      }
    }
  }
  EXPECT_EQ(found, (std::set<std::pair<std::uintptr_t, std::uintptr_t>>{
                       {0, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 5}, {6, 5}, {7, 5}}));
}

TEST(Places, BeyondTheLargestAreNotKnown) {
  findings::FindingSet findings;
  Spd3 detector(findings, kProgramMemory);
  void* root = nullptr;
  void* finish = nullptr;
  void* child = nullptr;
  detector.root_begun(root, finish);
  detector.task_created(root, child, finish, events::TaskKind::async, {"a.cpp", "f", 7});
  detector.write(child, kMemory, 8, std::uintptr_t{Spd3::kMostPlaces} + 5);
  detector.write(root, kMemory, 8, Spd3::kMostPlaces - 1);
  const findings::Findings all = findings.snapshot();
  ASSERT_EQ(all.races.size(), 1U);
  const findings::Race race = all.races[0].races[0];
  EXPECT_EQ(race.first.stack.innermost().pc, 0U);
  EXPECT_EQ(race.second.stack.innermost().pc, Spd3::kMostPlaces - 1);
  EXPECT_EQ(race.first.created_at.innermost().source.line, 7U);
  EXPECT_TRUE(race.second.created_at.empty());
  EXPECT_EQ(race.first.task, Spd3::number_of(child));
}

TEST(Memory, OfTheWholeProcessIsChecked) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  static std::uint64_t global = 0;
  std::uint64_t local = 0;
  const auto heap = std::make_unique<std::uint64_t>();
  const std::uint64_t* const each[] = {&global, &local, heap.get()};
  findings::FindingSet findings;
  Spd3 detector(findings);
  void* root = nullptr;
  void* finish = nullptr;
  void* child = nullptr;
  detector.root_begun(root, finish);
  detector.task_created(root, child, finish, events::TaskKind::async, {});
  for (const std::uint64_t* at : each) detector.write(child, reinterpret_cast<std::uintptr_t>(at), 8, 1);
  EXPECT_EQ(findings.verdict(), kClean);
  detector.forget(reinterpret_cast<std::uintptr_t>(&local), 8);
  for (const std::uint64_t* at : each) detector.read(root, reinterpret_cast<std::uintptr_t>(at), 8, 2);
  std::set<std::uintptr_t> found;
  for (const auto& group : findings.snapshot().races) {
    for (const auto& race : group.races) found.insert(race.address);
  }
  EXPECT_EQ(found, (std::set<std::uintptr_t>{reinterpret_cast<std::uintptr_t>(&global),
                                             reinterpret_cast<std::uintptr_t>(heap.get())}));
  EXPECT_EQ(detector.coverage(), findings::Coverage::all_schedules);
  EXPECT_TRUE(findings.snapshot().unsupported.empty());
}

TEST(Constructs, OutsideOfTheModelAreUnknown) {
  const auto verdict = [](const Program& program) { return Checked(program).verdict(); };
  EXPECT_EQ(verdict({future(0, {write(0)}), get(0), read(0)}), kUnknown);
  EXPECT_EQ(verdict({isolated({write(0)})}), kUnknown);
  const Checked checked({future(0, {})});
  ASSERT_EQ(checked.findings.snapshot().unsupported.size(), 1U);
  EXPECT_EQ(checked.findings.snapshot().unsupported[0].where.innermost().source.line, 1U);
}

}  // namespace
}  // namespace anyorder::detect::spd3
