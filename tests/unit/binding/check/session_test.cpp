// A session with a detector that accepts little: what it does not accept ends in unknown, with its line.

#include "binding/check/session.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "record/reader.hpp"

namespace anyorder::binding {
namespace {

// Accepts async and finish alone, and calls every write a race with itself.
template <events::Execution kExecution>
class NarrowIn final : public events::Listener {
 public:
  static constexpr events::DetectorTraits kTraits{"narrow", events::Construct::async_finish, kExecution,
                                                  events::Guarantee::all_schedules_of_this_input};

  explicit NarrowIn(findings::Sink& findings) : findings_(findings) {}

  void root_begun(events::Slot root, events::Slot finish) override { root = finish = &here_; }
  void root_ended(events::Slot, events::Slot) override {}
  void task_created(events::Slot, events::Slot child, events::Slot, events::TaskKind,
                    events::SourceSite) override {
    child = &here_;
    ++tasks;
  }
  void task_begun(events::Slot) override {}
  void task_ended(events::Slot) override {}
  void task_resumed(events::Slot) override {}
  void task_forgotten(events::Slot) override {}
  void finish_begun(events::Slot, events::Slot finish, events::SourceSite) override { finish = &here_; }
  void finish_ended(events::Slot, events::Slot) override {}
  void get_begun(events::Slot, events::Slot, events::SourceSite) override {}
  void get_ended(events::Slot, events::Slot, events::SourceSite) override {}
  void isolated_entered(events::Slot, std::span<const void* const>, events::SourceSite) override {}
  void isolated_left(events::Slot, std::span<const void* const>) override {}

  void read(void*, std::uintptr_t, std::size_t, std::uintptr_t) {}
  void write(void*, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    const findings::Access access{
        findings::AccessKind::write, 0, findings::Trace({findings::Frame{site, {}}}), {}};
    findings_.add(findings::Race{address, bytes, access, access, {}});
  }
  void forget(std::uintptr_t, std::size_t) {}

  static inline int tasks = 0;

 private:
  findings::Sink& findings_;
  int here_ = 0;
};
using Narrow = NarrowIn<events::Execution::serial_depth_first>;
using NarrowInParallel = NarrowIn<events::Execution::parallel>;
static_assert(events::Detector<Narrow>);

class SessionOfNarrow : public testing::Test {
 protected:
  SessionOfNarrow() {
    std::string pattern = testing::TempDir() + "anyorder-session-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    Narrow::tasks = 0;
    t_counters = nullptr;
  }
  ~SessionOfNarrow() override {
    events::running_task() = nullptr;
    std::filesystem::remove_all(folder_);
  }
  record::Process process() const { return record::read_all(folder_).at(0); }

  std::string folder_;
  void* root_ = nullptr;
  void* root_finish_ = nullptr;
};

constexpr events::SourceSite kLine{"app.cpp", "main", 42};

TEST_F(SessionOfNarrow, StopsAtAFutureAndNamesItsLine) {
  Session<Narrow> session(folder_, {});
  ASSERT_TRUE(session.usable());
  session.root_begun(root_, root_finish_);
  ASSERT_NE(events::running_task(), nullptr);

  void* async = nullptr;
  session.task_created(root_, async, root_finish_, events::TaskKind::async, kLine);
  session.task_begun(async);
  EXPECT_NE(events::running_task(), nullptr);
  session.task_ended(async);
  session.task_resumed(root_);
  session.task_forgotten(async);
  EXPECT_EQ(Narrow::tasks, 1);

  void* future = nullptr;
  session.task_created(root_, future, root_finish_, events::TaskKind::future, kLine);
  session.task_begun(future);
  EXPECT_EQ(events::running_task(), nullptr);
  session.task_ended(future);
  session.task_resumed(root_);
  EXPECT_EQ(events::running_task(), nullptr);
  EXPECT_EQ(Narrow::tasks, 1);
  session.root_ended(root_, root_finish_);

  const record::Process seen = process();
  EXPECT_EQ(seen.findings.verdict(), findings::Verdict::unknown);
  ASSERT_EQ(seen.findings.unsupported.size(), 1U);
  const findings::Unsupported& what = seen.findings.unsupported.front();
  EXPECT_EQ(what.construct, "future");
  EXPECT_NE(what.why.find("narrow"), std::string::npos);
  EXPECT_NE(what.why.find("--detector"), std::string::npos);
  EXPECT_EQ(what.where.innermost().source.file, "app.cpp");
  EXPECT_EQ(what.where.innermost().source.line, 42U);
  EXPECT_EQ(seen.ending, record::Ending::complete);
  EXPECT_EQ(seen.counters.futures, 1U);
  EXPECT_EQ(seen.counters.asyncs, 1U);
}

TEST_F(SessionOfNarrow, StopsAtIsolatedButKeepsWhatItFound) {
  Session<Narrow> session(folder_, {});
  session.root_begun(root_, root_finish_);
  int data = 0;
  session.accesses().check<events::Access::write>(events::running_task(), &data, sizeof(data), 0x1001);
  session.isolated_entered(root_, {}, kLine);
  session.isolated_left(root_, {});
  session.root_ended(root_, root_finish_);
  const record::Process seen = process();
  EXPECT_EQ(seen.findings.verdict(), findings::Verdict::race);
  ASSERT_EQ(seen.findings.unsupported.size(), 1U);
  EXPECT_EQ(seen.findings.unsupported.front().construct, "isolated");
}

// Tasks on other threads go on for a while, and what orders them is not known.
TEST_F(SessionOfNarrow, InParallelTellsNoRaceAfterTheStop) {
  Session<NarrowInParallel> session(folder_, {});
  session.root_begun(root_, root_finish_);
  void* const task = events::running_task();
  session.isolated_entered(root_, {}, kLine);
  int data = 0;
  session.accesses().check<events::Access::write>(task, &data, sizeof(data), 0x1001);
  session.isolated_left(root_, {});
  session.root_ended(root_, root_finish_);
  EXPECT_EQ(process().findings.verdict(), findings::Verdict::unknown);
}

TEST_F(SessionOfNarrow, NothingOfTheToolIsTakenForTheProgram) {
  Session<Narrow> session(folder_, {});
  session.root_begun(root_, root_finish_);
  void* const task = events::running_task();
  {
    const events::InsideTool inside;
    EXPECT_EQ(events::running_task(), nullptr);
    EXPECT_TRUE(events::inside_tool);
    {
      const events::InsideTool further;
      EXPECT_TRUE(events::inside_tool);
    }
    EXPECT_TRUE(events::inside_tool);
  }
  EXPECT_FALSE(events::inside_tool);
  EXPECT_EQ(events::running_task(), task);
}

TEST_F(SessionOfNarrow, InitialisationsOnceAndHandlersAreNobodys) {
  Session<Narrow> session(folder_, {});
  session.root_begun(root_, root_finish_);
  void* const task = events::running_task();
  session.once_begun();
  session.once_begun();
  EXPECT_EQ(events::running_task(), nullptr);
  session.once_ended();
  EXPECT_EQ(events::running_task(), nullptr);
  session.once_ended();
  EXPECT_EQ(events::running_task(), task);
  void* const interrupted = session.handler_begun();
  EXPECT_EQ(events::running_task(), nullptr);
  session.handler_ended(interrupted);
  EXPECT_EQ(events::running_task(), task);
}

TEST_F(SessionOfNarrow, ExitInsideATaskIsNoCompleteRun) {
  Session<Narrow> session(folder_, {});
  session.root_begun(root_, root_finish_);
  void* async = nullptr;
  session.task_created(root_, async, root_finish_, events::TaskKind::async, kLine);
  session.task_begun(async);
  session.ending();
  EXPECT_EQ(process().ending, record::Ending::inside_task);
  EXPECT_EQ(events::running_task(), nullptr);
  session.task_forgotten(async);
}

TEST_F(SessionOfNarrow, ExitOutsideEveryTaskIsOne) {
  Session<Narrow> session(folder_, {});
  session.root_begun(root_, root_finish_);
  session.ending();
  EXPECT_EQ(process().ending, record::Ending::complete);
}

}  // namespace
}  // namespace anyorder::binding
