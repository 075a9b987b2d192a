// The detector, driven by events that are fed by hand: what a finding says, reference counts, memory that
// comes and goes, and the sizes it is made for.
#include "detect/dtrg/dtrg.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "findings/finding_set.hpp"
#include "run.hpp"

namespace anyorder::detect::dtrg {
namespace {

using Kind = events::TaskKind;
using findings::Verdict;

class DtrgTest : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
    detector_->root_begun(root_, root_finish_);
  }

  void*& create(void*& parent, Kind kind = Kind::async, std::uint32_t line = 1) {
    void*& child = slots_.emplace_back();
    detector_->task_created(parent, child, root_finish_, kind, {"a.cpp", "f", line});
    detector_->task_begun(child);
    return child;
  }
  void end(void*& task) { detector_->task_ended(task); }
  void get(void*& getter, void*& target) { detector_->get_ended(getter, target, {"a.cpp", "f", 1}); }
  std::vector<findings::Race> races() const {
    std::vector<findings::Race> all;
    for (const auto& group : findings_.snapshot().races) {
      all.insert(all.end(), group.races.begin(), group.races.end());
    }
    return all;
  }
  double statistic(const std::string& name) const {
    for (const auto& [key, value] : detector_->statistics(accesses_, 0)) {
      if (key == name) return value;
    }
    ADD_FAILURE() << "no statistic " << name;
    return 0;
  }

  findings::FindingSet findings_;
  const std::unique_ptr<Dtrg> detector_ = ANYORDER_TSAN ? nullptr : std::make_unique<Dtrg>(findings_);
  void* root_ = nullptr;
  void* root_finish_ = nullptr;
  std::deque<void*> slots_;
  std::uint64_t accesses_ = 0;  // that statistics are of
};

TEST_F(DtrgTest, SaysWhereBothAccessesAndTheirTasksAre) {
  void*& child = create(root_, Kind::async, 10);
  void*& grandchild = create(child, Kind::future, 20);
  detector_->write(grandchild, 0x100, 4, 0xAAA);
  end(grandchild);
  end(child);
  detector_->read(root_, 0x100, 4, 0xBBB);

  ASSERT_EQ(races().size(), 1U);
  const findings::Race race = races().front();
  EXPECT_EQ(race.address, 0x100U);
  EXPECT_EQ(race.size, 4U);
  EXPECT_EQ(race.kind(), findings::RaceKind::write_read);
  EXPECT_EQ(race.first.site().pc, 0xAAAU);
  EXPECT_EQ(race.first.task, 2U);
  ASSERT_EQ(race.first.created_at.size(), 2U);
  EXPECT_EQ(race.first.created_at.begin()->source.line, 20U);
  EXPECT_EQ((race.first.created_at.begin() + 1)->source.line, 10U);
  EXPECT_EQ(race.second.site().pc, 0xBBBU);
  EXPECT_EQ(race.second.task, 0U);
  EXPECT_TRUE(race.second.created_at.empty());
}

TEST_F(DtrgTest, KeepsTheSiteOfAReader) {
  void*& child = create(root_);
  detector_->write(child, 0x100, 8, 0x1);
  detector_->read(child, 0x108, 8, 0x2);
  end(child);
  detector_->write(root_, 0x108, 8, 0x3);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().kind(), findings::RaceKind::read_write);
  EXPECT_EQ(races().front().first.site().pc, 0x2U);
}

// Words that are accessed at once, at places for parts of them: a race names those of its bytes, on both
// sides.
TEST_F(DtrgTest, ASiteOfAWordIsThoseOfItsBytes) {
  const std::uint32_t writes = detector_->site_of_word({1, 1, 1, 1, 2, 2, 2, 2});
  const std::uint32_t reads = detector_->site_of_word({3, 3, 4, 4, 4, 4, 5, 5});
  ASSERT_GE(writes, Dtrg::kMostPlaces);
  ASSERT_NE(writes, reads);
  EXPECT_EQ(detector_->site_of_word({3, 3, 4, 4, 4, 4, 5, 5}), reads);
  void*& writer = create(root_);
  detector_->write(writer, 0x100, 16, writes);
  EXPECT_TRUE(detector_->try_write<8>(writer, 0x110, [&] { return std::uintptr_t{writes}; }));
  end(writer);
  void*& reader = create(root_);
  detector_->read(reader, 0x100, 24, reads);
  end(reader);
  std::map<std::uintptr_t, std::pair<std::uintptr_t, std::uintptr_t>> found;
  for (const findings::Race& race : races()) {
    for (std::uintptr_t at = race.address; at != race.address + race.size; ++at) {
      EXPECT_TRUE(found.try_emplace(at, race.first.site().pc, race.second.site().pc).second);
    }
  }
  ASSERT_EQ(found.size(), 24U);
  for (const auto& [at, sites] : found) {
    constexpr std::array<std::uintptr_t, 8> kReads{3, 3, 4, 4, 4, 4, 5, 5};
    EXPECT_EQ(sites, std::pair(at % 8 < 4 ? std::uintptr_t{1} : std::uintptr_t{2}, kReads[at % 8]));
  }
}

TEST_F(DtrgTest, OneOfManyReadersIsNamed) {
  std::vector<void**> futures;
  for (int i = 0; i < 5; ++i) {
    void*& reader = create(root_, Kind::future);
    detector_->read(reader, 0x100, 8, static_cast<std::uintptr_t>(0x10 + i));
    end(reader);
    futures.push_back(&reader);
  }
  for (const int i : {0, 1, 3, 4}) get(root_, *futures[static_cast<std::size_t>(i)]);
  detector_->write(root_, 0x100, 8, 0x99);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().first.site().pc, 0x12U);
  EXPECT_EQ(races().front().first.task, 3U);
}

TEST_F(DtrgTest, ALongRangeInOneRaceIsOneEntry) {
  void*& child = create(root_);
  detector_->write(child, 0x1003, 1000, 1);
  end(child);
  detector_->read(root_, 0x1000, 2000, 2);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().address, 0x1003U);
  EXPECT_EQ(races().front().size, 1000U);
}

// Counts what it is told.
class Counting final : public findings::Sink {
 public:
  void add(const findings::Race& /*race*/) override { ++races; }
  void add(const findings::Deadlock& /*deadlock*/) override {}
  void add(const findings::Unsupported& /*unsupported*/) override {}
  int races = 0;
};

TEST(DtrgReports, ARaceIsToldOncePerLocation) {
  if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
  Counting told;
  Dtrg detector(told);
  void* root = nullptr;
  void* finish = nullptr;
  detector.root_begun(root, finish);
  const auto write = [&](std::uintptr_t address, std::uintptr_t site) {
    void* task = nullptr;
    detector.task_created(root, task, finish, Kind::async, {"a.cpp", "f", 1});
    detector.write(task, address, 4, site);
    detector.task_ended(task);
  };
  for (int i = 0; i < 1000; ++i) write(0x1000, 1);
  EXPECT_EQ(told.races, 1);
  for (int i = 0; i < 1000; ++i) write(0x1004, 1);
  EXPECT_EQ(told.races, 2);
  write(0x1000, 2);
  EXPECT_EQ(told.races, 3);
  detector.forget(0x1000, 4);
  for (int i = 0; i < 1000; ++i) write(0x1000, 1);
  EXPECT_EQ(told.races, 4);
}

TEST_F(DtrgTest, AGetThatWasRefusedOrdersNothing) {
  void*& future = create(root_, Kind::future);
  void*& child = create(future);
  detector_->write(future, 0x100, 1, 1);
  get(child, future);  // the future waits for the child at the end of its finish, perhaps
  end(child);
  end(future);
  detector_->write(root_, 0x100, 1, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

// Beyond the first few, a repeated get is found by a set.
TEST_F(DtrgTest, ManyFuturesAreGotAgainAndAgain) {
  constexpr std::uintptr_t kMany = 40;
  std::vector<void**> futures;
  for (std::uintptr_t i = 0; i != kMany; ++i) {
    futures.push_back(&create(root_, Kind::future));
    detector_->write(*futures.back(), 0x1000 + 8 * i, 8, 1);
    end(*futures.back());
  }
  void*& getter = create(root_);
  const TaskId id = static_cast<TaskId>(Dtrg::number_of(getter));
  for (int round = 0; round != 5; ++round) {
    for (void** future : futures) get(getter, *future);
  }
  // Those that the set did not know yet may be there twice.
  EXPECT_LE(detector_->graph().non_tree_predecessors(id).size(), 2 * kMany);
  EXPECT_EQ(detector_->graph().non_tree_joins(), 5 * kMany);
  for (std::uintptr_t i = 0; i != kMany; ++i) detector_->write(getter, 0x1000 + 8 * i, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  end(getter);
}

TEST_F(DtrgTest, AFinishJoinsItsTasksAndNotThoseAround) {
  void*& before = create(root_);
  detector_->write(before, 0x100, 8, 1);
  end(before);
  void* outer = nullptr;
  detector_->finish_begun(root_, outer, {"a.cpp", "f", 1});
  std::uintptr_t at = 0x1000;
  for (int i = 0; i != 5; ++i, at += 16) {
    void*& child = slots_.emplace_back();
    detector_->task_created(root_, child, outer, Kind::async, {"a.cpp", "f", 2});
    detector_->write(child, at, 8, 2);
    void* inner = nullptr;
    detector_->finish_begun(child, inner, {"a.cpp", "f", 3});
    void*& grandchild = slots_.emplace_back();
    detector_->task_created(child, grandchild, inner, Kind::async, {"a.cpp", "f", 4});
    detector_->write(grandchild, at + 8, 8, 3);
    end(grandchild);
    detector_->finish_ended(child, inner);
    end(child);
  }
  detector_->finish_ended(root_, outer);
  for (; at != 0x1000; at -= 8) detector_->write(root_, at - 8, 8, 4);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  detector_->write(root_, 0x100, 8, 4);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(DtrgTest, RootsOneAfterTheOtherAreNotCompared) {
  detector_->write(root_, 0x100, 8, 1);
  detector_->root_ended(root_, root_finish_);
  void* other = nullptr;
  void* other_finish = nullptr;
  detector_->root_begun(other, other_finish);
  detector_->read(other, 0x100, 8, 2);
  detector_->root_ended(other, other_finish);
  EXPECT_EQ(findings_.verdict(), Verdict::unknown);
}

TEST_F(DtrgTest, IsolatedIsNotJudged) {
  detector_->isolated_entered(root_, {}, {"a.cpp", "f", 7});
  detector_->isolated_left(root_, {});
  EXPECT_EQ(findings_.verdict(), Verdict::unknown);
}

// --- Reference counts
// ---------------------------------------------------------------------------------------

class ReferencesTest : public DtrgTest {
 protected:
  // Two tasks share the block; the first has dropped its reference.
  void SetUp() override {
    DtrgTest::SetUp();
    if (IsSkipped()) return;
    void*& first = create(root_);
    detector_->read(first, 0x200, 8, 1);
    detector_->release_reference(first, counter_);
    end(first);
    last_ = &create(root_);
  }
  const void* const counter_ = reinterpret_cast<const void*>(0x300);
  void** last_ = nullptr;
};

TEST_F(ReferencesTest, TheLastOneDestroys) {
  detector_->begin_destruction(*last_, counter_);
  detector_->write(*last_, 0x200, 8, 2);
  detector_->end_destruction(*last_);
  end(*last_);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(ReferencesTest, ATaskThatHadAReferenceDropsItAtItsEnd) {
  void*& owner = create(*last_, Kind::future);
  void*& child = create(owner, Kind::future);
  detector_->write(child, 0x210, 8, 4);
  end(child);
  get(owner, child);
  detector_->read(owner, 0x208, 8, 4);
  end(owner);
  void*& destroyer = create(*last_);
  detector_->begin_destruction(destroyer, counter_, owner);
  detector_->write(destroyer, 0x200, 8, 2);
  detector_->write(destroyer, 0x208, 8, 2);
  detector_->write(destroyer, 0x210, 8, 2);
  detector_->end_destruction(destroyer);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  detector_->begin_destruction(destroyer, counter_);
  detector_->read(destroyer, 0x200, 8, 2);
  detector_->end_destruction(destroyer);
  end(destroyer);
  detector_->read(*last_, 0x208, 8, 3);
  EXPECT_EQ(findings_.verdict(), Verdict::race);  // with what the destruction did
}

// A destructor may create a task that destroys something itself.
TEST_F(ReferencesTest, DestructionsNestOverTasks) {
  void*& other = create(*last_);
  detector_->read(other, 0x208, 8, 1);
  end(other);
  detector_->begin_destruction(*last_, counter_);
  void*& inner = create(*last_);
  detector_->begin_destruction(inner, nullptr, other);
  detector_->write(inner, 0x208, 8, 2);
  detector_->end_destruction(inner);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  detector_->write(inner, 0x200, 8, 2);  // which is not for the inner task to destroy
  EXPECT_EQ(findings_.verdict(), Verdict::race);
  end(inner);
  const std::size_t before = races().size();
  detector_->write(*last_, 0x200, 4, 3);
  EXPECT_EQ(races().size(), before + 1);  // with the inner task alone
  detector_->end_destruction(*last_);
}

TEST_F(ReferencesTest, ButOnlyUntilTheDestructionEnds) {
  detector_->begin_destruction(*last_, counter_);
  detector_->end_destruction(*last_);
  detector_->write(*last_, 0x200, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(ReferencesTest, AndOnlyWhatThoseDidThatDropped) {
  void*& child = create(*last_);
  detector_->read(child, 0x208, 8, 3);
  end(child);
  detector_->begin_destruction(*last_, counter_);
  detector_->write(*last_, 0x208, 8, 2);
  detector_->end_destruction(*last_);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(ReferencesTest, WhatIsFreedWasDestroyed) {
  detector_->release_last_reference(*last_, counter_);
  detector_->write(*last_, 0x200, 8, 2);
  detector_->retire(*last_, 0x1f0, 64, 3);
  end(*last_);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(ReferencesTest, WhatIsNotFreedWasNot) {
  detector_->release_last_reference(*last_, counter_);
  detector_->write(*last_, 0x200, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);  // not known yet
  end(*last_);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(ReferencesTest, AFreeWithoutTheLastReferenceIsAWrite) {
  detector_->retire(*last_, 0x200, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(ReferencesTest, ACounterInMemoryThatIsUsedAgainIsAnother) {
  detector_->forget(0x300, 8);
  detector_->release_last_reference(*last_, counter_);
  detector_->retire(*last_, 0x200, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

// --- Memory that comes and goes
// -----------------------------------------------------------------------------

TEST_F(DtrgTest, AStackIsForgottenAsFarAsItWasUsed) {
  constexpr std::uintptr_t kBottom = 0x4000'0000;
  constexpr std::size_t kTop = std::size_t{1} << 30U;
  const std::vector<std::size_t> depths{100, 100000, 100, 5000, 900000, 8};
  for (const std::size_t depth : depths) {
    void*& child = create(root_);
    detector_->write(child, kBottom + kTop - depth, 8, 1);
    detector_->write(child, kBottom + kTop - depth / 2, 4, 1);
    end(child);
    detector_->forget(kBottom, kTop);
  }
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  // What a task leaves below is seen by the next if nobody forgets it.
  for (int i = 0; i < 2; ++i) {
    void*& child = create(root_);
    detector_->write(child, kBottom + kTop - 100000, 8, 1);
    end(child);
  }
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(DtrgTest, TwoStacksInTurnsAreForgotten) {
  constexpr std::size_t kBytes = std::size_t{16} << 20U;
  for (int i = 0; i < 10; ++i) {
    const std::uintptr_t bottom = i % 2 == 0 ? 0x4000'0000 : 0x5000'0000;
    void*& child = create(root_);
    detector_->write(child, bottom + kBytes - static_cast<std::size_t>(1000 * i + 8), 8, 1);
    detector_->write(child, 0x9000'0000 - bottom + kBytes - 8, 8, 1);
    end(child);
    detector_->forget(0x9000'0000 - bottom, kBytes);
    detector_->forget(bottom, kBytes);
  }
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(DtrgTest, UnmappedMemoryIsAnotherLocation) {
  void*& first = create(root_);
  detector_->write(first, 0x10000, 8, 1);
  end(first);
  detector_->unmapped(0x10000, 0x1000);
  detector_->mapped(0x10000, 0x1000);
  void*& second = create(root_);
  detector_->write(second, 0x10000, 8, 1);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(DtrgTest, MemoryThatAnotherThreadGotIsForgotten) {
  void*& first = create(root_);
  detector_->write(first, 0x10000, 8, 1);
  end(first);
  std::thread([&] { detector_->forget(0x10000, 64); }).join();
  void*& second = create(root_);
  detector_->write(second, 0x10000, 8, 1);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(DtrgTest, MemoryWithoutCellsOfItsOwnIsUnknown) {
  detector_->mapped(0x7000'0000'0000, 0x1000);
  detector_->mapped(0x6000'0000'0000, 0x1000);  // the same, modulo 2^44
  EXPECT_EQ(findings_.verdict(), Verdict::unknown);
}

// --- Sizes
// --------------------------------------------------------------------------------------------------

TEST_F(DtrgTest, AMillionNestedTasksTakeNoNativeStack) {
  constexpr std::size_t kDepth = 1'000'000;
  std::vector<void*> tasks(kDepth + 1);
  tasks[0] = root_;
  void* outside = nullptr;  // each task gets it, so that each is significant
  detector_->task_created(root_, outside, root_finish_, Kind::future, {"a.cpp", "f", 1});
  detector_->write(outside, 0x50, 1, 1);
  detector_->task_ended(outside);
  for (std::size_t i = 1; i <= kDepth; ++i) {
    detector_->task_created(tasks[i - 1], tasks[i], root_finish_, i % 2 == 0 ? Kind::future : Kind::async,
                            {"a.cpp", "f", 1});
    get(tasks[i], outside);
    detector_->read(tasks[i], 0x50, 1, 1);
    detector_->write(tasks[i], 0x1000 + i, 1, 1);
  }
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  for (std::size_t i = kDepth; i >= 1; --i) {
    if (i < kDepth && (i + 1) % 2 == 0) get(tasks[i], tasks[i + 1]);
    detector_->task_ended(tasks[i]);
  }
  detector_->write(root_, 0x1000 + kDepth, 1, 2);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().first.created_at.size(), 32U);
  detector_->root_ended(root_, root_finish_);
}

TEST_F(DtrgTest, AskingForAllOfAChainGoesThroughItOnce) {
  constexpr std::size_t kLength = 8000;
  std::vector<void*> tasks(kLength);
  for (std::size_t i = 0; i < kLength; ++i) {
    detector_->task_created(root_, tasks[i], root_finish_, Kind::future, {"a.cpp", "f", 1});
    if (i > 0) get(tasks[i], tasks[i - 1]);
    detector_->write(tasks[i], 0x1000 + 8 * i, 8, 1);
    detector_->task_ended(tasks[i]);
  }
  get(root_, tasks.back());
  for (std::size_t i = 0; i < kLength; ++i) detector_->read(root_, 0x1000 + 8 * i, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  EXPECT_EQ(statistic("non_tree_joins"), kLength - 1);
  // The first read goes through all of it. The last future precedes by its label; of the first it is known
  // that it precedes when the second has been looked into.
  EXPECT_EQ(statistic("longest_query"), kLength - 2);
  EXPECT_EQ(statistic("query_visits/4097-8192"), 1);
  EXPECT_EQ(statistic("query_visits/0"), kLength - 2);
  EXPECT_EQ(statistic("query_visits/3-4"), 0);
  EXPECT_EQ(statistic("queries_by_joins"), kLength - 1);
}

TEST_F(DtrgTest, GettingTheSameFutureAgainTakesNoMemory) {
  void*& future = create(root_, Kind::future);
  detector_->write(future, 0x100, 8, 1);
  end(future);
  void*& other = create(root_);
  for (int i = 0; i < 100000; ++i) get(other, future);
  detector_->read(other, 0x100, 8, 2);
  EXPECT_EQ(detector_->graph().non_tree_predecessors(static_cast<TaskId>(Dtrg::number_of(other))).size(), 1U);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(DtrgTest, TheReadersOfAnArrayAreOneSet) {
  constexpr std::uintptr_t kWords = 10000;
  constexpr std::size_t kReaders = 100;
  for (std::size_t i = 0; i < kReaders; ++i) {
    void*& reader = create(root_, Kind::future);
    for (std::uintptr_t word = 0; word < kWords; ++word) detector_->read(reader, 0x10000 + 8 * word, 8, 1);
    end(reader);
  }
  EXPECT_LE(detector_->history().readers().log_count(), kReaders);
  accesses_ = kWords * kReaders;
  EXPECT_DOUBLE_EQ(statistic("average_readers"), (kReaders - 1) / 2.0);
  detector_->write(root_, 0x10000 + 8 * 5000, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(DtrgTest, SetsThatNoCellHasAreGivenBack) {
  std::vector<void**> keepers;
  for (int i = 0; i < 3; ++i) {
    void*& reader = create(root_, Kind::future);
    detector_->read(reader, 0x100, 4, 1);  // half a word: its set is in a piece
    detector_->read(reader, 0x2000, 8, 1);
    end(reader);
    keepers.push_back(&reader);
  }
  std::size_t most = 0;
  for (int round = 0; round < 40; ++round) {
    // Each location has a set of its own, for each has its own sites.
    for (int i = 0; i < 2; ++i) {
      void*& reader = create(root_, Kind::future);
      for (std::uintptr_t word = 0; word < 10000; ++word) {
        detector_->read(reader, 0x100000 + 8 * word, 8, 1 + word);
      }
      end(reader);
    }
    most = std::max(most, detector_->history().readers().log_count());
    detector_->forget(0x100000, 80000);
  }
  EXPECT_LT(most, 150000U);  // of 800,000 made
  detector_->history().collect();
  EXPECT_LE(detector_->history().readers().log_count(), 3U);
  // What cells have is still there.
  get(root_, *keepers[0]);
  get(root_, *keepers[2]);
  detector_->write(root_, 0x100, 4, 2);
  detector_->write(root_, 0x2000, 8, 2);
  ASSERT_EQ(races().size(), 2U);
  for (const findings::Race& race : races()) EXPECT_EQ(race.first.task, Dtrg::number_of(*keepers[1]));
}

}  // namespace
}  // namespace anyorder::detect::dtrg
