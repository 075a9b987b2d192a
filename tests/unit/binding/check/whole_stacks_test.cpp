#include "binding/check/whole_stacks.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace anyorder::binding {
namespace {

using Pcs = std::vector<std::uintptr_t>;

TEST(WholeStacks, HaveAllCallsOfTheTask) {
  WholeStacks stacks;
  for (std::size_t depth = 0; depth != 5000; ++depth) stacks.entered(depth, 100 + depth);
  EXPECT_EQ(stacks.callers(stacks.at(0, 3)), (Pcs{102, 101, 100}));
  EXPECT_EQ(stacks.at(7, 7), 0U);
  EXPECT_EQ(stacks.callers(stacks.at(4998, 5000)), (Pcs{5099, 5098}));
}

TEST(WholeStacks, ATaskThatBeginsFurtherInDoesNotHaveTheCallsOfItsCreator) {
  WholeStacks stacks;
  stacks.entered(0, 10);
  const StackNumber outside = stacks.at(0, 1);
  stacks.entered(1, 11);
  EXPECT_EQ(stacks.callers(stacks.at(1, 2)), (Pcs{11}));
  EXPECT_EQ(stacks.at(0, 1), outside);
}

// Random walks over calls and returns, against a plain copy of the stack.
TEST(WholeStacks, AreOneNumberEachHoweverTheyWereReached) {
  std::mt19937 random(7);
  WholeStacks stacks;
  Pcs calls;
  std::set<Pcs> different;
  std::set<StackNumber> numbers;
  for (int i = 0; i != 20'000; ++i) {
    if (!calls.empty() && random() % 2 == 0) {
      calls.resize(calls.size() - 1 - random() % calls.size() / 3);
    } else {
      const std::uintptr_t from = 1 + random() % 3;
      stacks.entered(calls.size(), from);
      calls.push_back(from);
    }
    if (random() % 2 == 0) continue;
    const StackNumber number = stacks.at(0, calls.size());
    EXPECT_EQ(stacks.callers(number), Pcs(calls.rbegin(), calls.rend()));
    different.insert(calls);
    numbers.insert(number);
  }
  EXPECT_EQ(different.size(), numbers.size());
}

TEST(WholeStacks, ThatThereIsNoRoomForAreNotKept) {
  WholeStacks stacks(2);
  stacks.entered(0, 1);
  stacks.entered(1, 2);
  stacks.entered(2, 3);
  EXPECT_EQ(stacks.at(0, 3), WholeStacks::kNotKept);
  EXPECT_EQ(stacks.callers(stacks.at(0, 3)), Pcs());
  EXPECT_EQ(stacks.callers(stacks.at(0, 2)), (Pcs{2, 1}));
  stacks.entered(2, 4);
  stacks.entered(3, 5);
  EXPECT_EQ(stacks.at(0, 4), WholeStacks::kNotKept);
}

// What a trace stands for: repetitions written out; 0 for a frame of which nothing is known.
Pcs written_out(const findings::Trace& trace) {
  Pcs pcs;
  for (const findings::Frame& frame : trace) {
    pcs.push_back(frame.pc);
    for (std::uint64_t i = 0; i != frame.skipped.calls; ++i) {
      pcs.push_back(frame.skipped.period == 0 ? 0 : pcs[pcs.size() - frame.skipped.period]);
    }
  }
  return pcs;
}

TEST(ReadableTrace, FoldsWhatIsThereThreeTimes) {
  EXPECT_EQ(readable_trace({9, 1, 1, 8}).size(), 4U);
  const Pcs one{9, 1, 1, 1, 8};
  EXPECT_EQ(readable_trace(one).size(), 3U);
  EXPECT_EQ(written_out(readable_trace(one)), one);
  const Pcs two{9, 1, 2, 1, 2, 1, 2, 1, 8};
  EXPECT_EQ(readable_trace(two).size(), 5U);
  EXPECT_EQ(written_out(readable_trace(two)), two);
}

TEST(ReadableTrace, OfAnyLengthHasBothItsEnds) {
  std::mt19937 random(3);
  for (const std::size_t length : {1U, 255U, 256U, 257U, 1000U, 100'000U}) {
    for (const unsigned places : {1U, 2U, 1000U}) {
      Pcs pcs;
      for (std::size_t i = 0; i != length; ++i) pcs.push_back(1 + random() % places);
      const findings::Trace trace = readable_trace(pcs);
      EXPECT_LE(trace.size(), kMostFrames);
      Pcs out = written_out(trace);
      ASSERT_EQ(out.size(), pcs.size());
      for (std::size_t i = 0; i != pcs.size(); ++i) {
        EXPECT_TRUE(out[i] == 0 || out[i] == pcs[i]);
      }
      EXPECT_EQ(out.front(), pcs.front());
      EXPECT_EQ(out.back(), pcs.back());
      EXPECT_TRUE((length > kMostFrames && places > 1) || out == pcs);
    }
  }
}

}  // namespace
}  // namespace anyorder::binding
