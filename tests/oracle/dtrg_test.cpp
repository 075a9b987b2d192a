// dtrg and the oracle hear the same events, and name the same bytes.
//
// dtrg's answers are exact where a task waits only for futures whose handle it was given by what precedes it.
// So a handle is a variable here: where none is raced on, all bytes agree; else the two agree that there is a
// race, and dtrg names none that is not there.
#include "detect/dtrg/dtrg.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>

#include "binding/check/accesses.hpp"
#include "detect/graph/graph.hpp"
#include "findings/finding_set.hpp"
#include "random_program.hpp"
#include "serial_run.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {
namespace {

using Bytes = std::set<std::uintptr_t>;

// dtrg as a checked program drives it: what the thread can decide by itself does not reach the detector.
class QuicklyDriven {
 public:
  explicit QuicklyDriven(findings::Sink& findings) : detector_(findings) {
    anyorder_quick_thread_1 = {};
    accesses_.begin_thread(counts_, places_);
  }
  QuicklyDriven(const QuicklyDriven&) = delete;
  QuicklyDriven& operator=(const QuicklyDriven&) = delete;
  ~QuicklyDriven() { anyorder_quick_thread_1 = {}; }

  // Events go to the detector.
  void root_begun(auto&&... arguments) { detector_.root_begun(arguments...); }
  void root_ended(auto&&... arguments) { detector_.root_ended(arguments...); }
  void task_created(auto&&... arguments) { detector_.task_created(arguments...); }
  void task_begun(auto&&... arguments) { detector_.task_begun(arguments...); }
  void task_ended(auto&&... arguments) { detector_.task_ended(arguments...); }
  void task_resumed(auto&&... arguments) { detector_.task_resumed(arguments...); }
  void finish_begun(auto&&... arguments) { detector_.finish_begun(arguments...); }
  void finish_ended(auto&&... arguments) { detector_.finish_ended(arguments...); }
  void get_begun(auto&&... arguments) { detector_.get_begun(arguments...); }
  void get_ended(auto&&... arguments) { detector_.get_ended(arguments...); }
  void isolated_entered(auto&&... arguments) { detector_.isolated_entered(arguments...); }
  void isolated_left(auto&&... arguments) { detector_.isolated_left(arguments...); }
  void forget(auto&&... arguments) { detector_.forget(arguments...); }

  void read(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access<events::Access::read>(task, address, bytes, site);
  }
  void write(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access<events::Access::write>(task, address, bytes, site);
  }

 private:
  template <events::Access kAccess>
  void access(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    if (std::exchange(anyorder_quick_thread_1.task, task) != task) {
      accesses_.runs_root(dtrg::Dtrg::number_of(task) == 0);
    }
    const auto* const begin = reinterpret_cast<const void*>(address);
    const std::uintptr_t pc = 0x1000 + 4 * (site % 3);  // few places, so that each comes again and again
    switch (bytes) {
      case 1:
        return accesses_.check<kAccess, 1>(task, begin, pc);
      case 2:
        return accesses_.check<kAccess, 2>(task, begin, pc);
      case 4:
        return accesses_.check<kAccess, 4>(task, begin, pc);
      case 8:
        return accesses_.check<kAccess, 8>(task, begin, pc);
      case 16:
        return accesses_.check<kAccess, 16>(task, begin, pc);
      default:
        return accesses_.check<kAccess>(task, begin, bytes, pc);
    }
  }

  dtrg::Dtrg detector_;
  binding::Accesses<dtrg::Dtrg> accesses_{detector_};
  binding::ThreadPlaces places_;
  events::QuickCounts counts_{};
};

template <class Detector>
Bytes racy_bytes(const Program& program) {
  findings::FindingSet findings;
  Detector detector(findings);
  SerialRun(detector, Handles::are_data).run(program);
  Bytes bytes;
  for (const auto& group : findings.snapshot().races) {
    for (const auto& race : group.races) {
      for (std::uint64_t i = 0; i < race.size; ++i) bytes.insert(race.address + i);
    }
  }
  return bytes;
}

bool has_race_on_a_handle(const Bytes& racy) { return racy.lower_bound(handle_address(0)) != racy.end(); }

// ANYORDER_RANDOM_PROGRAMS: how many of each shape, instead of what the tests take.
unsigned programs_of_each_shape(unsigned otherwise) {
  const char* const wanted = std::getenv("ANYORDER_RANDOM_PROGRAMS");
  return wanted == nullptr ? otherwise : static_cast<unsigned>(std::stoul(wanted));
}

struct Case {
  const char* name;
  Shape shape;
  unsigned programs;
};

class Dtrg : public testing::TestWithParam<Case> {};

TEST_P(Dtrg, NamesTheBytesOfTheOracle) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  const unsigned programs = programs_of_each_shape(GetParam().programs);
  unsigned exact = 0;
  unsigned racy = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Program program = RandomProgram(seed, GetParam().shape).make();
    const Bytes expected = racy_bytes<graph::Graph>(program);
    const Bytes found = racy_bytes<dtrg::Dtrg>(program);
    ASSERT_EQ(racy_bytes<QuicklyDriven>(program), found) << "seed " << seed << ": " << to_string(program);
    if (has_race_on_a_handle(expected)) {
      ASSERT_FALSE(found.empty()) << "seed " << seed << ": " << to_string(program);
      ASSERT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()))
          << "seed " << seed << ": " << to_string(program);
      continue;
    }
    ASSERT_EQ(found, expected) << "seed " << seed << ": " << to_string(program);
    ++exact;
    racy += expected.empty() ? 0 : 1;
  }
  RecordProperty("compared_byte_by_byte", static_cast<int>(exact));
  RecordProperty("racy", static_cast<int>(racy));
  // Both answers are put to the test.
  EXPECT_GT(exact, GetParam().shape.leaks == 0 ? programs - 1 : programs / 10);
  EXPECT_GT(racy, exact / 20);
  EXPECT_LT(racy, exact);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Dtrg,
    testing::Values(
        Case{"tiny", {.statements = 8, .depth = 3, .bytes = 1}, 10000},
        Case{"tiny_with_leaks", {.statements = 8, .depth = 3, .bytes = 1, .leaks = 100}, 10000},
        Case{"small", {.statements = 14, .depth = 4, .bytes = 2}, 10000},
        Case{"larger", {.statements = 40, .depth = 6, .bytes = 6}, 4000},
        Case{"larger_with_leaks", {.statements = 40, .depth = 6, .bytes = 6, .leaks = 20}, 4000},
        Case{"large", {.statements = 200, .depth = 8, .bytes = 200}, 2000},
        Case{"large_with_leaks", {.statements = 200, .depth = 8, .bytes = 200, .leaks = 3}, 1000},
        Case{"wide", {.statements = 30, .depth = 4, .bytes = 200, .wide = true}, 4000},
        Case{"in_a_row", {.statements = 30, .depth = 4, .bytes = 72, .wide = true, .in_a_row = 12}, 6000}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace anyorder::detect
