// Races that a file lists as not to be reported.
//
//   # a comment
//   line app.cpp:12          one of the accesses is there
//   function work*           one of the accesses is in it, or in what it called
//   variable results         the race is on it, or on a part of it
//   task app.cpp:30          one of the tasks was created there, or one that it descends from   # why
//
// `*` stands for any characters, `?` for one. A path may begin anywhere behind a '/'.
//
// Contract: a value; not thread-safe. parse throws std::runtime_error, with half a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "findings/race.hpp"

namespace anyorder::report {

struct Report;

class Suppressions {
 public:
  [[nodiscard]] static Suppressions parse(std::string_view text);

  // Takes what is listed out of the findings. Counts it, and what matched nothing, in the report.
  void apply(Report& report, const std::string& name) const;

 private:
  enum class Kind : std::uint8_t { line, function, variable, task };
  struct Entry {
    Kind kind;
    std::string pattern;
    std::size_t number;  // of the line
    std::string text;    // as it was written
  };
  [[nodiscard]] static bool matches(const Entry& entry, const Report& report, const findings::Race& race);

  std::vector<Entry> entries_;
};

}  // namespace anyorder::report
