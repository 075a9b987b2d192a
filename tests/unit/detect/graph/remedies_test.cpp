// The smallest change that orders two racing steps, tried on the graph.
#include "detect/graph/remedies.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "detect/graph/graph.hpp"
#include "findings/finding_set.hpp"

namespace anyorder::detect::graph {
namespace {

using events::TaskKind;
using findings::LaterJoin;
using findings::Remedy;
using findings::RemedyKind;

events::SourceSite line(std::uint32_t number) { return {"a.cpp", "f", number}; }

// A serial run, told by hand. Each access is at a place of its own number.
class ToldRun {
 public:
  ToldRun() { graph_.root_begun(root_, finish_); }

  void*& root() { return root_; }
  // Runs f as a task; its slot stays.
  template <class F>
  void*& task(void*& parent, void*& finish, TaskKind kind, std::uint32_t at, F f) {
    void*& slot = *slots_.emplace_back(std::make_unique<void*>(nullptr));
    graph_.task_created(parent, slot, finish, kind, line(at));
    graph_.task_begun(slot);
    f(slot);
    graph_.task_ended(slot);
    graph_.task_resumed(parent);
    return slot;
  }
  template <class F>
  void*& task(void*& parent, TaskKind kind, std::uint32_t at, F f) {
    return task(parent, finish_, kind, at, f);
  }
  template <class F>
  void finish(void*& owner, std::uint32_t at, F f) {
    void* scope = nullptr;
    graph_.finish_begun(owner, scope, line(at));
    f(scope);
    graph_.finish_ended(owner, scope);
  }
  void get(void*& getter, void*& future, std::uint32_t at) {
    graph_.get_begun(getter, future, line(at));
    graph_.get_ended(getter, future, line(at));
  }
  void post(void*& task) { graph_.posted(task, nullptr); }
  void write(void* task, std::uintptr_t place) { graph_.write(task, 0x100, 4, place); }

  [[nodiscard]] std::vector<Remedy> remedies() const { return graph_.remedies(); }
  // Of a run with one pair of places that race.
  [[nodiscard]] Remedy only() const {
    const std::vector<Remedy> all = remedies();
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? Remedy() : all.front();
  }

 private:
  findings::FindingSet findings_;
  Graph graph_{findings_};
  void* root_ = nullptr;
  void* finish_ = nullptr;
  std::vector<std::unique_ptr<void*>> slots_;
};

TEST(Remedies, AGetOfAFuture) {
  ToldRun run;
  void*& future = run.task(run.root(), TaskKind::future, 10, [&](void*& task) { run.write(task, 1); });
  run.write(run.root(), 2);
  run.get(run.root(), future, 12);
  const Remedy remedy = run.only();
  EXPECT_EQ(remedy.kind, RemedyKind::get);
  EXPECT_EQ(remedy.created.source.line, 10U);
  EXPECT_FALSE(remedy.before.source.known());
  EXPECT_EQ(remedy.later, LaterJoin::get);
  EXPECT_EQ(remedy.later_at.source.line, 12U);
  EXPECT_EQ(remedy.first.innermost().pc, 1U);
  EXPECT_EQ(remedy.second.innermost().pc, 2U);
}

// Nobody but its region has the handle of a posted task: its parent awaits it, for a sibling before that.
TEST(Remedies, AnAwaitOfAPostedTask) {
  for (const bool goes_on : {true, false}) {
    ToldRun run;
    run.task(run.root(), TaskKind::future, 10, [&](void*& task) {
      run.post(task);
      run.write(task, 1);
    });
    if (goes_on) {
      run.write(run.root(), 2);
    } else {
      run.task(run.root(), TaskKind::async, 11, [&](void*& task) { run.write(task, 2); });
    }
    const Remedy remedy = run.only();
    EXPECT_EQ(remedy.kind, RemedyKind::await);
    EXPECT_EQ(remedy.created.source.line, 10U);
    EXPECT_EQ(remedy.before.source.known(), !goes_on);
  }
}

TEST(Remedies, AFinishAroundATaskBeforeTheNext) {
  ToldRun run;
  run.finish(run.root(), 9, [&](void*& scope) {
    run.task(run.root(), scope, TaskKind::async, 10, [&](void*& task) { run.write(task, 1); });
    run.task(run.root(), scope, TaskKind::async, 11, [&](void*& task) { run.write(task, 2); });
  });
  const Remedy remedy = run.only();
  EXPECT_EQ(remedy.kind, RemedyKind::finish);
  EXPECT_EQ(remedy.created.source.line, 10U);
  EXPECT_EQ(remedy.before.source.line, 11U);
  EXPECT_EQ(remedy.later, LaterJoin::end_of_finish);
  EXPECT_EQ(remedy.later_at.source.line, 9U);
}

TEST(Remedies, AFinishInsideATaskThatIsWaitedForWithoutItsChild) {
  ToldRun run;
  void*& future = run.task(run.root(), TaskKind::future, 10, [&](void*& task) {
    run.task(task, TaskKind::async, 11, [&](void*& child) { run.write(child, 1); });
  });
  run.get(run.root(), future, 12);
  run.write(run.root(), 2);
  const Remedy remedy = run.only();
  EXPECT_EQ(remedy.kind, RemedyKind::finish_inside);
  EXPECT_EQ(remedy.created.source.line, 11U);
  EXPECT_EQ(remedy.inside.source.line, 10U);
  EXPECT_EQ(remedy.later, LaterJoin::end_of_program);
}

TEST(Remedies, AFutureThatLeavesATaskBehindIsNotEnough) {
  ToldRun run;
  run.task(run.root(), TaskKind::future, 10, [&](void*& task) {
    run.task(task, TaskKind::async, 11, [&](void*& child) { run.write(child, 1); });
  });
  run.write(run.root(), 2);
  EXPECT_EQ(run.only().kind, RemedyKind::finish);
  EXPECT_EQ(run.only().created.source.line, 10U);
}

TEST(Remedies, NoneForTasksOfOneLoopUnlessTheyAreFutures) {
  for (const TaskKind kind : {TaskKind::async, TaskKind::future}) {
    ToldRun run;
    for (int i = 0; i < 3; ++i) run.task(run.root(), kind, 10, [&](void*& task) { run.write(task, 1); });
    EXPECT_EQ(run.only().kind, kind == TaskKind::async ? RemedyKind::none : RemedyKind::get);
    EXPECT_EQ(run.only().pairs, 3U);
  }
}

TEST(Remedies, NothingForWhatIsInOrder) {
  ToldRun run;
  run.finish(run.root(), 9, [&](void*& scope) {
    run.task(run.root(), scope, TaskKind::async, 10, [&](void*& task) { run.write(task, 1); });
  });
  run.write(run.root(), 2);
  EXPECT_TRUE(run.remedies().empty());
}

}  // namespace
}  // namespace anyorder::detect::graph
