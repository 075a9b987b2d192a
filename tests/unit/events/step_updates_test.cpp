// What a step did to a cell is known for equal cells, at the same place and in the same epoch alone.

#include "events/step_updates.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace anyorder::events {
namespace {

constexpr std::uint32_t kMarks = 7U << 8U | 0xffU;

const QuickCell kBefore{{3, kMarks}, {}};
const QuickCell kAfter{{3, kMarks}, {5, kMarks}};

std::uint64_t key(std::uint64_t epoch, std::uint32_t marks = kMarks) {
  return StepUpdates::key_of<Access::read>(epoch, marks);
}

TEST(StepUpdates, KnowNothingAtFirst) {
  const StepUpdates updates;
  EXPECT_EQ(updates.find(QuickCell{}, key(1)), nullptr);
  EXPECT_EQ(updates.find(kBefore, key(1)), nullptr);
}

TEST(StepUpdates, AreFoundByCellPlaceEpochAndKind) {
  StepUpdates updates;
  updates.learn(kBefore, kAfter, key(9), 2);
  const StepUpdates::Update* const found = updates.find(kBefore, key(9));
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->after.is_same(kAfter));
  EXPECT_EQ(found->readers, 2U);
  EXPECT_EQ(found->effects, StepUpdates::kChanges);

  EXPECT_EQ(updates.find(kAfter, key(9)), nullptr);
  EXPECT_EQ(updates.find(kBefore, key(10)), nullptr);
  EXPECT_EQ(updates.find(kBefore, key(9, 8U << 8U | 0xffU)), nullptr);
  EXPECT_EQ(updates.find(kBefore, StepUpdates::key_of<Access::write>(9, kMarks)), nullptr);
}

TEST(StepUpdates, PlacesAreTheUpperBitsOfMarks) {
  EXPECT_EQ(key(9, 7U << 8U), key(9, kMarks));
  EXPECT_NE(key(9), key(9, 0xff'ffffU << 8U));
  EXPECT_NE(key(1, 0), key(0, 0xff'ffffU << 8U));  // no carry into the epoch
}

TEST(StepUpdates, SayWhenALogIsMade) {
  StepUpdates updates;
  QuickCell log = kAfter;
  log.reader.marks |= QuickAccess::kMany;
  updates.learn(kAfter, log, key(9), 1);
  ASSERT_NE(updates.find(kAfter, key(9)), nullptr);
  EXPECT_EQ(updates.find(kAfter, key(9))->effects, StepUpdates::kMakesLog | StepUpdates::kChanges);
  // Another one of it.
  QuickCell more = log;
  more.reader.tag = 6;
  updates.learn(log, more, key(9), 2);
  ASSERT_NE(updates.find(log, key(9)), nullptr);
  EXPECT_EQ(updates.find(log, key(9))->effects, StepUpdates::kChanges);
}

// A cell of its own for each line, or each word of one that is open.
TEST(QuickCell, IsThatOfItsLineUnlessThatIsOpen) {
  alignas(16) static char cells[4 * sizeof(QuickCell)];
  QuickCell& line = QuickCell::line_at(cells, 64);
  EXPECT_EQ(&line, reinterpret_cast<QuickCell*>(cells) + 1);
  line = kBefore;
  EXPECT_EQ(&QuickCell::at(cells, 64 + 8), &line);
  EXPECT_TRUE((is_known<Access::read, 8>(cells, 3, 64 + 8)));
  EXPECT_FALSE((is_known<Access::read, 8>(cells, 4, 64 + 8)));

  const QuickCell open = QuickCell::open(11);
  EXPECT_TRUE(open.is_open());
  EXPECT_EQ(open.block(), 11U);
  const auto address_of = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at); };
  EXPECT_EQ(address_of(open.words(cells)) - address_of(cells),
            QuickCell::kBlocksAt + 11 * QuickCell::kBlockBytes);
  // Nothing is known by it, whatever the task.
  for (const std::uint32_t tag : {1U, 11U, 3U, ~std::uint32_t{0} >> 1U}) {
    EXPECT_FALSE(open.knows<Access::read>(tag, QuickAccess::kBytes));
    EXPECT_FALSE(open.knows<Access::write>(tag, QuickAccess::kBytes));
  }
  EXPECT_FALSE(kBefore.is_open());
}

}  // namespace
}  // namespace anyorder::events
