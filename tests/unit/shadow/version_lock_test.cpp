#include "shadow/version_lock.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <thread>
#include <vector>

#include "shadow/concurrent_shadow.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::shadow {
namespace {

constexpr unsigned kBits = 32;
constexpr std::uintptr_t kBase = 0x10000;
constexpr int kThreads = 4;
constexpr int kRounds = ANYORDER_TSAN || ANYORDER_ASAN ? 20'000 : 2'000'000;

// Three words that are always the same.
struct Policy {
  static constexpr unsigned kWordBytes = 8;
  struct alignas(32) Cell {
    std::uint64_t head;
    std::array<std::uint64_t, 3> values;
  };
  static std::uint64_t split_head(std::uint64_t link) noexcept { return kMark | link; }
  static bool is_split(std::uint64_t head) noexcept { return (head & kMark) != 0; }
  static std::uint64_t link(std::uint64_t head) noexcept { return head & ~kMark; }
  static std::uint64_t split_word(std::uint32_t half) noexcept { return kMark | half; }
  static constexpr std::uint64_t kMark = std::uint64_t{1} << 63U;
};
using Cell = Policy::Cell;
using Lock = VersionLock<Policy>;
using Memory = ConcurrentShadow<Policy, kBits, Lock>;

// All at once.
void in_threads(auto f) {
  std::vector<std::thread> threads;
  std::barrier start(kThreads);
  for (int t = 0; t != kThreads; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      f(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

bool is_whole(const Cell& cell) {
  return cell.head == 0 && cell.values[0] == cell.values[1] && cell.values[1] == cell.values[2];
}
void add_one(Cell& cell) {
  for (std::uint64_t& value : cell.values) ++value;
}

TEST(VersionLock, LooksAreConsistentAndReplacementsAreNotLost) {
  Memory memory{std::span<const AddressRange>()};
  Cell& place = memory.place(kBase);
  std::array<std::uint64_t, kThreads> replaced{};
  std::atomic<int> torn = 0;
  in_threads([&](int t) {
    for (int i = 0; i != kRounds; ++i) {
      Lock::Snapshot seen;
      if (!Lock::look(place, seen)) continue;
      if (!is_whole(seen.cell)) ++torn;
      Cell next = seen.cell;
      add_one(next);
      if ((i + t) % 4 != 0 && Lock::replace(place, seen.version, next)) ++replaced[t];
    }
  });
  EXPECT_EQ(torn, 0);
  Lock::Snapshot last;
  ASSERT_TRUE(Lock::look(place, last));
  EXPECT_EQ(last.cell.values[0], replaced[0] + replaced[1] + replaced[2] + replaced[3]);
}

TEST(VersionLock, AgreesWithThreadsThatLockAndSplit) {
  Memory memory{std::span<const AddressRange>()};
  Cell& place = memory.place(kBase);
  std::atomic<std::uint64_t> whole = 0;
  std::atomic<std::uint64_t> low = 0;
  std::atomic<int> torn = 0;
  in_threads([&](int t) {
    for (int i = 0; i != kRounds / 4; ++i) {
      Lock::Snapshot seen;
      if (t == 0) {
        // One byte more, and then the others: split, and joined again.
        memory.for_each_piece(kBase, 1, [](Cell& cell, std::uintptr_t, std::size_t) { add_one(cell); });
        ++low;
        memory.for_each_piece(kBase + 1, 7, [](Cell& cell, std::uintptr_t, std::size_t) { add_one(cell); });
      } else if (Lock::look(place, seen)) {
        if (!is_whole(seen.cell)) ++torn;
        Cell next = seen.cell;
        add_one(next);
        if (Lock::replace(place, seen.version, next)) ++whole;
      }
    }
  });
  EXPECT_EQ(torn, 0);
  std::uint64_t pieces = 0;
  memory.for_each_piece(kBase, 8, [&](Cell& cell, std::uintptr_t, std::size_t) {
    ++pieces;
    EXPECT_EQ(cell.values[0], whole + low);
    EXPECT_TRUE(is_whole(cell));
  });
  EXPECT_EQ(pieces, 1U);
  EXPECT_EQ(memory.statistics().split_words, 0U);
}

TEST(VersionLock, NoWordOfASplitCellLooksLikeContent) {
  Memory memory{std::span<const AddressRange>()};
  Cell& place = memory.place(kBase);
  memory.for_each_piece(kBase, 4, [](Cell& cell, std::uintptr_t, std::size_t) { cell.values = {7, 8, 9}; });
  Lock::Snapshot seen;
  EXPECT_FALSE(Lock::look(place, seen));
  EXPECT_TRUE(Lock::may_be_split(place));
  for (std::size_t i = 1; i != 4; ++i) {
    EXPECT_TRUE(Lock::look_at(place, i) == 0 || (Lock::look_at(place, i) & Policy::kMark) != 0) << i;
  }
  memory.forget(kBase, 8);
  EXPECT_TRUE(Lock::look(place, seen));
  EXPECT_EQ(seen.cell.values[0], 0U);
  EXPECT_EQ(memory.statistics().split_words, 0U);
}

TEST(VersionLock, AVersionNeverComesAgain) {
  Memory memory{std::span<const AddressRange>()};
  Cell& place = memory.place(kBase);
  EXPECT_TRUE(Lock::is_never(place));
  Lock::Snapshot first;
  ASSERT_TRUE(Lock::look(place, first));
  Cell other = first.cell;
  add_one(other);
  ASSERT_TRUE(Lock::replace(place, first.version, other));
  EXPECT_FALSE(Lock::replace(place, first.version, other));
  memory.for_each_piece(kBase, 8, [](Cell& cell, std::uintptr_t, std::size_t) { cell = {}; });
  Lock::Snapshot again;
  ASSERT_TRUE(Lock::look(place, again));
  EXPECT_EQ(again.cell.values, first.cell.values);
  EXPECT_NE(again.version, first.version);
  EXPECT_FALSE(Lock::replace(place, first.version, other));
  // To lock and change nothing is not another version.
  memory.for_each_piece(kBase, 8, [](Cell&, std::uintptr_t, std::size_t) {});
  EXPECT_TRUE(Lock::replace(place, again.version, other));
}

// Cells in sequence, of which all that are like the first are changed at once.
class Runs : public testing::Test {
 protected:
  static constexpr std::size_t kCells = 20;

  [[nodiscard]] std::span<Cell> cells() { return memory_.places(kBase, kCells * Policy::kWordBytes); }
  void set(std::size_t i, std::uint64_t value) {
    Lock::Snapshot seen;
    ASSERT_TRUE(Lock::look(cells()[i], seen));
    ASSERT_TRUE(Lock::replace(cells()[i], seen.version, of(value)));
  }
  [[nodiscard]] std::uint64_t value_of(std::size_t i) {
    Lock::Snapshot seen;
    EXPECT_TRUE(Lock::look(cells()[i], seen) && is_whole(seen.cell));
    return seen.cell.values[0];
  }
  static Cell of(std::uint64_t value) { return {0, {value, value, value}}; }

  Memory memory_{std::span<const AddressRange>()};
};

TEST_F(Runs, EndWhereACellDiffers) {
  for (std::size_t run = 0; run != kCells; ++run) {
    for (std::size_t i = 0; i != kCells; ++i) set(i, i < run ? 1 : 2);
    EXPECT_EQ(Lock::count_run(cells(), of(1)), run);
    EXPECT_EQ(Lock::count_with(cells(), 2, 1), run);
    EXPECT_EQ(Lock::replace_run(cells(), of(1), of(3)), run);
    for (std::size_t i = 0; i != kCells; ++i) EXPECT_EQ(value_of(i), i < run ? 3U : 2U);
  }
}

TEST_F(Runs, MayChangeSomeOfTheWords) {
  for (unsigned changed = 0; changed != 8; ++changed) {
    Cell after = of(1);
    for (unsigned i = 0; i != 3; ++i) after.values[i] += changed >> i & 1U;
    for (std::size_t i = 0; i != kCells; ++i) set(i, i + 1 == kCells ? 2 : 1);
    Lock::Snapshot before;
    ASSERT_TRUE(Lock::look(cells()[0], before));
    EXPECT_EQ(Lock::replace_run(cells(), of(1), after), kCells - 1);
    Lock::Snapshot seen;
    for (std::size_t i = 0; i + 1 != kCells; ++i) {
      ASSERT_TRUE(Lock::look(cells()[i], seen));
      EXPECT_EQ(seen.cell.values, after.values);
    }
    ASSERT_TRUE(Lock::look(cells()[0], seen));
    EXPECT_NE(seen.version, before.version);
    EXPECT_EQ(value_of(kCells - 1), 2U);
  }
}

// A lock is for several words, fewer than these before it. Who looks is not concerned: nothing is changed
// yet.
TEST_F(Runs, EndWhereAnotherHasTheLock) {
  constexpr std::size_t kMany = 2000;
  constexpr std::size_t kLocked = 1500;
  const std::span<Cell> many = memory_.places(kBase, kMany * Policy::kWordBytes);
  const auto has_only = [&many](std::size_t replaced) {
    return Lock::count_run(many, of(1)) == replaced &&
           Lock::count_run(many.subspan(replaced), Cell{}) == kMany - replaced;
  };
  {
    const Lock held(many[kLocked]);
    const std::size_t replaced = Lock::replace_run(many, Cell{}, of(1));
    EXPECT_GT(replaced, 0U);
    EXPECT_LE(replaced, kLocked);
    EXPECT_TRUE(has_only(replaced));
    EXPECT_EQ(Lock::replace_run(many.subspan(replaced), Cell{}, of(1)), 0U);
    EXPECT_FALSE(Lock::replace(many[kLocked], Lock::version_of(many[kLocked]), of(1)));
    EXPECT_TRUE(has_only(replaced));
  }
  EXPECT_TRUE(Lock::replace(many[kLocked], Lock::version_of(many[kLocked]), of(1)));
}

TEST_F(Runs, EndWhereACellIsSplit) {
  for (std::size_t i = 0; i != kCells; ++i) set(i, 1);
  memory_.for_each_piece(kBase + 8 * 3, 4, [](Cell& cell, std::uintptr_t, std::size_t) { cell = of(2); });
  EXPECT_EQ(Lock::count_run(cells(), of(1)), 3U);
  EXPECT_EQ(Lock::replace_run(cells(), of(1), of(3)), 3U);
}

// Each thread adds one to runs of cells, wherever they begin and end.
TEST_F(Runs, LoseNoReplacement) {
  std::array<std::atomic<std::uint64_t>, kCells> added{};
  in_threads([&](int t) {
    for (int i = 0; i != kRounds / 100; ++i) {
      const auto begin = static_cast<std::size_t>(t + i) % kCells;
      Lock::Snapshot seen;
      if (!Lock::look(cells()[begin], seen)) continue;
      Cell next = seen.cell;
      add_one(next);
      const std::size_t count = Lock::replace_run(cells().subspan(begin), seen.cell, next);
      for (std::size_t n = 0; n != count; ++n) added[begin + n].fetch_add(1);
    }
  });
  for (std::size_t i = 0; i != kCells; ++i) EXPECT_EQ(value_of(i), added[i].load());
}

}  // namespace
}  // namespace anyorder::shadow
