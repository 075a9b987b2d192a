// A Program, run by this detector in an order that a seed chooses.
#pragma once

#include "../interleaved_run.hpp"
#include "../serial_run.hpp"
#include "detect/offset_span/offset_span.hpp"
#include "findings/finding_set.hpp"

namespace anyorder::detect::offset_span {

inline constexpr shadow::AddressRange kProgramMemory[] = {{kMemory, kMemory + 0x1000}};

struct Checked {
  findings::FindingSet findings;
  OffsetSpan detector{findings, kProgramMemory};

  explicit Checked(const Program& program) { SerialRun(detector).run(program); }
  Checked(const Program& program, Order order, unsigned seed) {
    InterleavedRun(detector, order, seed).run(program);
  }

  [[nodiscard]] findings::Verdict verdict() const { return findings.verdict(); }
};

}  // namespace anyorder::detect::offset_span
