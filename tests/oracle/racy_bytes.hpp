// The bytes that a detector finds racy in a program, and how many programs a test tries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "findings/finding_set.hpp"
#include "serial_run.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {

using Bytes = std::set<std::uintptr_t>;

inline Bytes racy_bytes(const findings::FindingSet& findings) {
  Bytes bytes;
  for (const auto& group : findings.snapshot().races) {
    for (const auto& race : group.races) {
      for (std::uint64_t i = 0; i < race.size; ++i) bytes.insert(race.address + i);
    }
  }
  return bytes;
}

template <class Detector>
Bytes racy_bytes(const Program& program) {
  findings::FindingSet findings;
  Detector detector(findings);
  SerialRun(detector, Handles::are_data).run(program);
  return racy_bytes(findings);
}

// Sanitizers look for other mistakes than wrong answers, and are slow.
inline constexpr bool kFewPrograms = ANYORDER_ASAN || ANYORDER_TSAN;

// ANYORDER_RANDOM_PROGRAMS: how many of each shape, instead of what the tests take.
inline unsigned programs_of_each_shape(unsigned otherwise) {
  const char* const wanted = std::getenv("ANYORDER_RANDOM_PROGRAMS");
  if (wanted != nullptr) return static_cast<unsigned>(std::stoul(wanted));
  return kFewPrograms ? std::max(otherwise / 16, std::min(otherwise, 20U)) : otherwise;
}

// Both answers were put to the test.
inline void expect_both_answers(unsigned racy, unsigned programs) {
  if (kFewPrograms) return;  // which may all have the same
  EXPECT_GT(racy, programs / 20);
  EXPECT_LT(racy, programs);
}

}  // namespace anyorder::detect
