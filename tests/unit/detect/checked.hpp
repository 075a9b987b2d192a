// A Program, run with a detector of serial runs, and what was found.
#pragma once

#include "findings/finding_set.hpp"
#include "serial_run.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {

inline constexpr const char* kNoRoom = "ThreadSanitizer leaves no room for the shadow of a process";

template <class Detector>
struct CheckedSerially {
  findings::FindingSet findings;
  Detector detector{findings};

  explicit CheckedSerially(const Program& program) { SerialRun(detector).run(program); }

  [[nodiscard]] findings::Verdict verdict() const { return findings.verdict(); }
};

}  // namespace anyorder::detect
