// An earlier report, against which only what is new counts.
//
// Contract: a value; parse throws std::runtime_error, with half a sentence, on what is no report.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace anyorder::report {

struct Baseline {
  std::map<std::string, std::string> races;  // fingerprint → the race in a line

  // What `anyorder check` wrote with --json or with --sarif.
  [[nodiscard]] static Baseline parse(std::string_view text);
};

}  // namespace anyorder::report
