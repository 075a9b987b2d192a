// What lies at a data address.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "report/object_type.hpp"

namespace anyorder::report {

// The object that begins at `base`, or, if the name is empty, no object that is known; either way the answer
// holds up to `end`.
struct Extent {
  std::uintptr_t base = 0;
  std::uintptr_t end = 0;
  std::string name;
  std::shared_ptr<const ObjectType> type;  // null: not known
  std::string function = {};               // of a local: the inlined function that declares it; empty: none
};

}  // namespace anyorder::report
