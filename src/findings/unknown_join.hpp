// A get of a future that its task does not know by the rules of known joins. Where tasks pass handles on
// through nothing but variables, it is the trace of a race on the variable that held the handle.
//
// Contract: a value; no thread affinity.
#pragma once

#include <cstdint>

#include "findings/source.hpp"

namespace anyorder::findings {

struct UnknownJoin {
  std::uint64_t task = 0;  // that gets; 0: the main task
  Trace got_at;
  Trace created_at;  // the task
  std::uint64_t future = 0;
  Trace future_created_at;
  // The handle may have come without a race: through an isolated section, or as far as a detector can tell.
  bool excused = false;
  std::uint64_t count = 1;
};

}  // namespace anyorder::findings
