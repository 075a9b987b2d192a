// Something that the program did and the tool could not judge. It turns a would-be clean verdict
// into unknown.
//
// Contract: a value; no thread affinity. `construct` and `why` are fixed texts, one per reason:
// what varies from one occurrence to the next belongs in `where`, or de-duplication cannot work.
#pragma once

#include <cstdint>
#include <string>

#include "findings/source.hpp"

namespace anyorder::findings {

struct Unsupported {
  std::string construct;    // "future", "isolated"…
  std::string why;          // a sentence for the user, with the way out if there is one
  Trace where;              // empty: nowhere in particular
  std::uint64_t count = 1;  // how often it occurred
};

}  // namespace anyorder::findings
