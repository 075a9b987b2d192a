// Reference counts: the task that drops the last reference may destroy what the others have used before they
// dropped theirs, and nothing more.
#include <array>
#include <gtest/gtest.h>

#include "run.hpp"

namespace anyorder::detect::spd3 {
namespace {

using findings::Verdict;

class SharedObject : public testing::Test {
 protected:
  static constexpr std::uintptr_t kObject = kMemory;
  static constexpr std::size_t kBytes = 16;

  SharedObject() {
    detector_.root_begun(root_, finish_);
    for (void*& task : tasks_) {
      detector_.task_created(root_, task, finish_, events::TaskKind::async, {"a.cpp", "f", 1});
      detector_.task_begun(task);
    }
  }

  // Uses the object, and drops its reference.
  void use_and_drop(void* task) {
    detector_.read(task, kObject, 8, 1);
    detector_.release_reference(task, &counter_);
  }

  findings::FindingSet findings_;
  Spd3 detector_{findings_, kProgramMemory};
  void* root_ = nullptr;
  void* finish_ = nullptr;
  std::array<void*, 3> tasks_{};
  int counter_ = 0;
};

TEST_F(SharedObject, IsDestroyedByTheLast) {
  use_and_drop(tasks_[0]);
  use_and_drop(tasks_[1]);
  detector_.begin_destruction(tasks_[2], &counter_);
  detector_.write(tasks_[2], kObject, kBytes, 2);
  detector_.end_destruction(tasks_[2]);
  detector_.task_ended(tasks_[2]);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(SharedObject, UsedAfterTheDropIsRacedOn) {
  use_and_drop(tasks_[0]);
  detector_.read(tasks_[0], kObject, 8, 3);
  detector_.begin_destruction(tasks_[2], &counter_);
  detector_.write(tasks_[2], kObject, kBytes, 2);
  detector_.end_destruction(tasks_[2]);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(SharedObject, IsNotTheOnlyThingThatTheLastTouches) {
  detector_.read(tasks_[0], kObject + 64, 8, 1);
  use_and_drop(tasks_[0]);
  detector_.begin_destruction(tasks_[2], &counter_);
  detector_.write(tasks_[2], kObject, kBytes, 2);
  detector_.end_destruction(tasks_[2]);
  detector_.write(tasks_[2], kObject + 64, 8, 3);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(SharedObject, OfATaskThatHadItUntilItsEnd) {
  detector_.write(tasks_[0], kObject, 8, 1);
  detector_.task_ended(tasks_[0]);
  detector_.begin_destruction(tasks_[1], &counter_, tasks_[0]);
  detector_.write(tasks_[1], kObject, kBytes, 2);
  detector_.end_destruction(tasks_[1]);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  detector_.write(tasks_[2], kObject, 8, 3);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(SharedObject, IsKnownByTheFreeThatFollows) {
  use_and_drop(tasks_[0]);
  detector_.release_last_reference(tasks_[1], &counter_);
  detector_.write(tasks_[1], kObject, 8, 2);
  detector_.retire(tasks_[1], kObject, kBytes, 3);
  detector_.task_ended(tasks_[1]);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
}

TEST_F(SharedObject, ThatIsNotFreedWasNotDestroyed) {
  use_and_drop(tasks_[0]);
  detector_.release_last_reference(tasks_[1], &counter_);
  detector_.write(tasks_[1], kObject, 8, 2);
  EXPECT_EQ(findings_.verdict(), Verdict::clean);
  detector_.task_ended(tasks_[1]);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

TEST_F(SharedObject, ForgottenCountersMeanNothing) {
  use_and_drop(tasks_[0]);
  detector_.forget(reinterpret_cast<std::uintptr_t>(&counter_), sizeof counter_);
  detector_.begin_destruction(tasks_[1], &counter_);
  detector_.write(tasks_[1], kObject, 8, 2);
  detector_.end_destruction(tasks_[1]);
  EXPECT_EQ(findings_.verdict(), Verdict::race);
}

}  // namespace
}  // namespace anyorder::detect::spd3
