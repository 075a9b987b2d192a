// A Program, run serially by this detector.
#pragma once

#include "../serial_run.hpp"
#include "detect/esp_bags/esp_bags.hpp"
#include "findings/finding_set.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::esp_bags {

inline constexpr const char* kNoRoom = "ThreadSanitizer leaves no room for the shadow of a process";

struct Checked {
  findings::FindingSet findings;
  EspBags detector{findings};

  explicit Checked(const Program& program) { SerialRun(detector).run(program); }

  [[nodiscard]] findings::Verdict verdict() const { return findings.verdict(); }
};

}  // namespace anyorder::detect::esp_bags
