// Whole paths of files that the API knows by the names that the compiler was called with: those may be
// relative to where that was, which only debug information tells.
//
// Contract: values; no thread affinity.
#pragma once

#include <set>
#include <string>

#include "findings/source.hpp"
#include "report/report.hpp"

namespace anyorder::report {

class AbsolutePaths {
 public:
  // Of the files that the stacks of a report's races and remedies are in.
  explicit AbsolutePaths(const Report& report);

  // The one file of those whose path ends so; a path that is absolute, itself. Empty: none, or several.
  [[nodiscard]] std::string of(const std::string& file) const;

 private:
  void know(const findings::Trace& stack);

  std::set<std::string> known_;
};

}  // namespace anyorder::report
