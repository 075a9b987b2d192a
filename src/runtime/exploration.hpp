// What explores, if this library can: set by the binding before the program's first constructor runs.
#pragma once

#include <string>

#include "anyorder/exploration.hpp"

namespace anyorder::runtime {

class Explorer {
 public:
  virtual ~Explorer() = default;
  // On a thread that is at rest. Throws what `function` throws, and usage_error on a text that is no
  // schedule.
  virtual exploration explore(void (*function)(void*), void* f, const exploration_bounds& bounds,
                              const std::string& schedule, source_site site) = 0;
};

// Null: this library cannot explore.
inline constinit Explorer* attached_explorer = nullptr;
// Starts the program anew with a library that can; returns if there is none. Null: likewise.
using StartWithExplorer = void (*)();
inline constinit StartWithExplorer start_with_explorer = nullptr;

}  // namespace anyorder::runtime
