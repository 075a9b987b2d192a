// What makes a race the same one in the next run, and in the next version of the program.
//
// Contract: functions without state of their own. A fingerprint does not depend on addresses, line numbers,
// task numbers, or where the sources lie; it changes with the text of one of the two lines, their functions,
// their files' names, or the variable.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "findings/finding_set.hpp"
#include "report/report.hpp"
#include "report/source_files.hpp"

namespace anyorder::report {

struct Fingerprint {
  std::string value;  // hexadecimal digits; each of a report's is another one
  std::string text;   // the race in a line
};

// Of each group of races, in their order.
[[nodiscard]] std::vector<Fingerprint> fingerprints_of(const Report& report);

}  // namespace anyorder::report
