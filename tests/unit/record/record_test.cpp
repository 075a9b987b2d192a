// What a process writes is what the command reads, whatever becomes of the process.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "record/reader.hpp"
#include "record/writer.hpp"

namespace anyorder::record {
namespace {

namespace fs = std::filesystem;
using findings::Access;
using findings::AccessKind;
using findings::Frame;
using findings::Race;
using findings::Trace;

class Record : public testing::Test {
 protected:
  Record() {
    std::string pattern = testing::TempDir() + "anyorder-record-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~Record() override { fs::remove_all(folder_); }

  Process only_process() const {
    const auto processes = read_all(folder_);
    EXPECT_EQ(processes.size(), 1U);
    return processes.empty() ? Process{} : processes.front();
  }
  std::string findings_file() const { return folder_ + "/" + std::to_string(getpid()) + kFindingsSuffix; }

  std::string folder_;
};

Race a_race(std::uintptr_t address) {
  Race race;
  race.address = address;
  race.size = 4;
  race.first = {AccessKind::write, 3, Trace({Frame{0x1000, {}}}),
                Trace({Frame{0, {"a \"quoted\" file.cpp", 10, 0, "f"}}, Frame{0, {"b.cpp", 20, 5, "g"}}})};
  race.second = {AccessKind::read, 7, Trace({Frame{0x2000, {}}, Frame{0x3000, {}}}), {}};
  race.memory = {address - 8, findings::HeapMemory{Trace({Frame{0x4000, {}}})}};
  return race;
}

bool same(const Race& a, const Race& b) {
  return a.address == b.address && a.size == b.size && a.first == b.first && a.second == b.second &&
         a.memory == b.memory;
}

TEST_F(Record, CarriesEveryKindOfMemory) {
  Race race = a_race(0x10008);
  for (const findings::Memory& memory :
       {findings::Memory{}, findings::Memory{0x10000, findings::GlobalMemory{"ns::x"}},
        findings::Memory{0x10000, findings::HeapMemory{Trace({Frame{0x4000, {}}})}},
        findings::Memory{0, findings::LocalMemory{"main", "x", 0x5000, 0x7fff0000}}}) {
    race.memory = memory;
    EXPECT_TRUE(same(decode_race(encode(race)), race));
  }
}

TEST_F(Record, CarriesWhatAStackLeavesOut) {
  Race race = a_race(0x10008);
  Frame with_line{0x1000, {"a.cpp", 1, 2, "f"}};
  with_line.skipped = {7, 0};
  Frame without{0x2000, {}};
  without.skipped = {4998, 2};
  race.first.stack = Trace({with_line, without, Frame{0x3000, {}}});
  EXPECT_TRUE(same(decode_race(encode(race)), race));
  with_line.skipped = {4, 2};  // of which there is one
  race.first.stack = Trace({with_line});
  EXPECT_THROW(static_cast<void>(decode_race(encode(race))), std::runtime_error);
}

TEST_F(Record, ReadsBackWhatWasWritten) {
  {
    Writer writer(folder_, "graph");
    ASSERT_TRUE(writer.usable());
    writer.instrumented();
    writer.add(a_race(0x10008));
    writer.add(
        findings::Deadlock{{{1, findings::WaitKind::get, Trace({Frame{0, {"c.cpp", 3, 0, "h"}}}), {}}}});
    writer.add(findings::UnknownJoin{
        1, Trace({Frame{0, {"c.cpp", 4, 0, "h"}}}), {}, 2, Trace({Frame{0, {"c.cpp", 5, 0, "h"}}}), true, 3});
    writer.add(findings::Unsupported{"thread", "why", {}, 2});
    writer.note("once");
    writer.note("once");
    events::count_access<events::Access::read>(writer.counters_of_this_thread().plain, 0x1000);
    count(writer.counters_of_this_thread().futures);
    count(writer.counters_of_this_thread().asyncs);
    writer.ended(Ending::complete, findings::Coverage::one_isolated_order, {{"steps", 12.5}});
  }
  const Process process = only_process();
  EXPECT_EQ(process.pid, getpid());
  EXPECT_EQ(process.detector, "graph");
  EXPECT_EQ(process.program, fs::read_symlink("/proc/self/exe").string());
  EXPECT_TRUE(process.instrumented);
  ASSERT_EQ(process.findings.race_count(), 1U);
  EXPECT_TRUE(same(process.findings.races.front().races.front(), a_race(0x10008)));
  EXPECT_EQ(process.findings.deadlocks.size(), 1U);
  ASSERT_EQ(process.findings.unknown_joins.size(), 1U);
  const findings::UnknownJoin& join = process.findings.unknown_joins.front();
  EXPECT_EQ(join.task, 1U);
  EXPECT_EQ(join.got_at.innermost().source.line, 4U);
  EXPECT_TRUE(join.created_at.empty());
  EXPECT_EQ(join.future, 2U);
  EXPECT_EQ(join.future_created_at.innermost().source.line, 5U);
  EXPECT_TRUE(join.excused);
  EXPECT_EQ(join.count, 3U);
  ASSERT_EQ(process.findings.unsupported.size(), 1U);
  EXPECT_EQ(process.findings.unsupported.front().count, 2U);
  EXPECT_EQ(process.notes, std::vector<std::string>{"once"});
  EXPECT_EQ(process.counters.reads, 1U);
  EXPECT_EQ(process.counters.tasks, 2U);
  EXPECT_EQ(process.ending, Ending::complete);
  EXPECT_EQ(process.coverage, findings::Coverage::one_isolated_order);
  ASSERT_EQ(process.statistics.size(), 1U);
  EXPECT_EQ(process.statistics.front().second, 12.5);
}

TEST_F(Record, ModulesHoldTheCodeOfTheProcess) {
  Writer writer(folder_, "graph");
  writer.add(a_race(0x10008));
  writer.add(a_race(0x20008));
  const Process process = only_process();
  const auto code = reinterpret_cast<std::uintptr_t>(&a_race);
  int holders = 0;
  for (const Module& module : process.modules) {
    if (code < module.begin || code >= module.end) continue;
    ++holders;
    EXPECT_EQ(module.path, process.program);
  }
  EXPECT_EQ(holders, 1);
}

TEST_F(Record, AProcessThatIsKilledLeavesWhatItFound) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Writer writer(folder_, "graph");
    writer.add(a_race(0x10008));
    events::count_access<events::Access::write>(writer.counters_of_this_thread().plain, 0x1000);
    count(writer.counters_of_this_thread().isolated);
    count(writer.counters_of_this_thread().isolated);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const Process process = only_process();
  EXPECT_EQ(process.pid, child);
  EXPECT_EQ(process.ending, Ending::cut_short);
  EXPECT_EQ(process.findings.race_count(), 1U);
  EXPECT_EQ(process.counters.writes, 1U);
  // Nobody said that the order of the two sections did not matter.
  EXPECT_EQ(process.coverage, findings::Coverage::one_isolated_order);
}

TEST_F(Record, ALineThatWasNotFinishedIsLeftOut) {
  {
    Writer writer(folder_, "graph");
    writer.add(a_race(0x10008));
  }
  std::ofstream(findings_file(), std::ios::app) << R"({"race":{"address":12)";
  EXPECT_EQ(only_process().findings.race_count(), 1U);
}

TEST_F(Record, DamageIsSaid) {
  { const Writer writer(folder_, "graph"); }
  std::ofstream(findings_file(), std::ios::app) << "nonsense\n";
  EXPECT_THROW(static_cast<void>(read_all(folder_)), std::runtime_error);
}

TEST_F(Record, NamesThatAreNotUtf8DoNotHarm) {
  {
    Writer writer(folder_, "graph");
    Race race = a_race(0x10008);
    race.first.created_at = Trace({Frame{0, {"\xff\xfe.cpp", 1, 0, "f"}}});
    writer.add(race);
  }
  EXPECT_EQ(only_process().findings.race_count(), 1U);
}

TEST(RecordFolder, ThatDoesNotExistMakesTheWriterUnusable) {
  const Writer writer("/nonexistent/folder", "graph");
  EXPECT_FALSE(writer.usable());
}

}  // namespace
}  // namespace anyorder::record
