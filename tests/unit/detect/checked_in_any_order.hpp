// A Program, run with a detector of parallel runs, serially or in an order that a seed chooses, and what was
// found.
#pragma once

#include <gtest/gtest.h>

#include "cases.hpp"
#include "findings/finding_set.hpp"
#include "interleaved_run.hpp"
#include "serial_run.hpp"
#include "shadow/process_maps.hpp"

namespace anyorder::detect {

inline constexpr shadow::AddressRange kProgramMemory[] = {{kMemory, kMemory + 0x1000}};

template <class Detector>
struct CheckedInAnyOrder {
  findings::FindingSet findings;
  Detector detector{findings, kProgramMemory};

  explicit CheckedInAnyOrder(const Program& program) { SerialRun(detector).run(program); }
  CheckedInAnyOrder(const Program& program, Order order, unsigned seed) {
    InterleavedRun(detector, order, seed).run(program);
  }

  [[nodiscard]] findings::Verdict verdict() const { return findings.verdict(); }
};

template <class Checked>
void expect_verdict_in_every_order(const Case& test) {
  for (unsigned seed = 0; seed != 10; ++seed) {
    for (const Order order : kOrders) {
      EXPECT_EQ(Checked(test.program, order, seed).verdict(), test.verdict)
          << to_string(test.program) << ", order " << static_cast<int>(order) << ", seed " << seed;
    }
  }
}

}  // namespace anyorder::detect
