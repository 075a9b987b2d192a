// What a race is on, in the words of the program.
//
// Contract: a value and a function without state.
#pragma once

#include <optional>
#include <string>

#include "findings/race.hpp"
#include "report/object_type.hpp"
#include "report/report.hpp"

namespace anyorder::report {

struct NamedObject {
  std::string variable;            // empty: memory without a name, such as the heap's
  std::string type;                // of the whole object; empty: not known, nor is the part
  std::optional<ObjectPart> part;  // of the object

  // "results[12]"; empty: it has no name.
  [[nodiscard]] std::string name() const {
    return variable.empty() || !part ? variable : variable + part->path;
  }
};

[[nodiscard]] NamedObject named_object(const Report& report, const findings::Race& race);

}  // namespace anyorder::report
