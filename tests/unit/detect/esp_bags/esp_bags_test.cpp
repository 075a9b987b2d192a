// The detector, driven by events that are fed by hand: what it does not accept, what a finding says, and that
// a location takes the same room however many tasks read it.
#include "detect/esp_bags/esp_bags.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "run.hpp"

namespace anyorder::detect::esp_bags {
namespace {

using Kind = events::TaskKind;
using findings::Verdict;

class EspBagsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << kNoRoom;
    detector_ = std::make_unique<EspBags>(findings_);
    detector_->root_begun(root_, root_finish_);
  }

  void*& create(void*& parent, Kind kind = Kind::async, std::uint32_t line = 1) {
    void*& child = slots_.emplace_back();
    detector_->task_created(parent, child, root_finish_, kind, {"a.cpp", "f", line});
    detector_->task_begun(child);
    return child;
  }
  void end(void*& task) { detector_->task_ended(task); }
  std::vector<findings::Race> races() const {
    std::vector<findings::Race> all;
    for (const auto& group : findings_.snapshot().races) {
      all.insert(all.end(), group.races.begin(), group.races.end());
    }
    return all;
  }
  std::vector<findings::Unsupported> unsupported() const { return findings_.snapshot().unsupported; }

  findings::FindingSet findings_;
  std::unique_ptr<EspBags> detector_;
  void* root_ = nullptr;
  void* root_finish_ = nullptr;
  std::deque<void*> slots_;
};

TEST_F(EspBagsTest, AFutureIsUnknownWithItsLine) {
  end(create(root_, Kind::future, 17));
  EXPECT_EQ(findings_.verdict(), Verdict::unknown);
  ASSERT_EQ(unsupported().size(), 1U);
  EXPECT_EQ(unsupported().front().construct, "future");
  ASSERT_EQ(unsupported().front().where.size(), 1U);
  EXPECT_EQ(unsupported().front().where.innermost().source.line, 17U);
}

TEST_F(EspBagsTest, AnIsolatedSectionIsUnknownWithItsLine) {
  detector_->isolated_entered(root_, {}, {"a.cpp", "f", 18});
  detector_->isolated_left(root_, {});
  EXPECT_EQ(findings_.verdict(), Verdict::unknown);
  ASSERT_EQ(unsupported().size(), 1U);
  EXPECT_EQ(unsupported().front().construct, "isolated");
}

TEST_F(EspBagsTest, ARaceNamesTasksSitesAndCreations) {
  void*& first = create(root_, Kind::async, 3);
  detector_->write(first, 0x1004, 4, 7);
  end(first);
  void*& second = create(root_, Kind::async, 4);
  detector_->read(second, 0x1000, 8, 8);
  end(second);
  ASSERT_EQ(races().size(), 1U);
  const findings::Race race = races().front();
  EXPECT_EQ(race.address, 0x1004U);
  EXPECT_EQ(race.size, 4U);
  EXPECT_EQ(race.first.kind, findings::AccessKind::write);
  EXPECT_EQ(race.second.kind, findings::AccessKind::read);
  EXPECT_EQ(race.first.task, EspBags::number_of(first));
  EXPECT_EQ(race.second.task, EspBags::number_of(second));
  ASSERT_EQ(race.first.created_at.size(), 1U);
  EXPECT_EQ(race.first.created_at.innermost().source.line, 3U);
  EXPECT_EQ(race.second.created_at.innermost().source.line, 4U);
}

TEST_F(EspBagsTest, TheFirstOfManyReadersIsTheOneThatIsNamed) {
  constexpr int kReaders = 1000;
  void*& first = create(root_);
  detector_->read(first, 0x1000, 8, 1);
  end(first);
  for (int i = 1; i < kReaders; ++i) {
    void*& reader = create(root_);
    detector_->read(reader, 0x1000, 8, 1);
    end(reader);
  }
  detector_->write(root_, 0x1000, 8, 2);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().first.task, EspBags::number_of(first));
  const auto statistics = detector_->statistics(kReaders + 1, 0);
  ASSERT_EQ(statistics.front().first, "average_readers");
  EXPECT_DOUBLE_EQ(statistics.front().second, double{kReaders} / (kReaders + 1));  // one at most, each time
}

TEST_F(EspBagsTest, AMillionNestedTasksTakeNoNativeStack) {
  constexpr std::size_t kDepth = 1'000'000;
  std::vector<void*> tasks(kDepth + 1);
  tasks[0] = root_;
  for (std::size_t i = 1; i <= kDepth; ++i) {
    detector_->task_created(tasks[i - 1], tasks[i], root_finish_, Kind::async, {"a.cpp", "f", 1});
    detector_->write(tasks[i], 0x1000 + i, 1, 1);
  }
  for (std::size_t i = kDepth; i >= 1; --i) detector_->task_ended(tasks[i]);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  detector_->write(root_, 0x1000 + kDepth, 1, 2);
  ASSERT_EQ(races().size(), 1U);
  EXPECT_EQ(races().front().first.created_at.size(), 32U);
  detector_->root_ended(root_, root_finish_);
}

// --- Reference counts, to the precision of tasks ---------------------------------------------------------

TEST_F(EspBagsTest, WhatADropperDidDoesNotRaceWithTheDestruction) {
  int counter = 0;
  void*& reader = create(root_);
  detector_->read(reader, 0x1000, 8, 1);
  detector_->release_reference(reader, &counter);
  end(reader);
  void*& last = create(root_);
  detector_->begin_destruction(last, &counter);
  detector_->write(last, 0x1000, 8, 2);
  detector_->end_destruction(last);
  end(last);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(EspBagsTest, WhatOthersDidRacesWithTheDestruction) {
  int counter = 0;
  void*& reader = create(root_);
  detector_->read(reader, 0x1000, 8, 1);
  end(reader);
  void*& dropper = create(root_);
  detector_->release_reference(dropper, &counter);
  end(dropper);
  void*& last = create(root_);
  detector_->begin_destruction(last, &counter);
  detector_->write(last, 0x1000, 8, 2);
  detector_->end_destruction(last);
  end(last);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

}  // namespace
}  // namespace anyorder::detect::esp_bags
