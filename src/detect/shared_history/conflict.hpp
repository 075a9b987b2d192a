// An earlier access that an access conflicts with, and may run in parallel with.
#pragma once

#include <cstdint>

#include "detect/shared_history/ids.hpp"
#include "findings/race.hpp"

namespace anyorder::detect::shared_history {

struct Conflict {
  std::uintptr_t begin;
  std::uintptr_t end;
  findings::AccessKind kind;
  StepId step;
  PlaceId place;
};

}  // namespace anyorder::detect::shared_history
