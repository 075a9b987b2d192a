// The options in force (include/anyorder/options.hpp), from the environment or from configure().
#pragma once

#include "anyorder/options.hpp"

namespace anyorder::runtime {

// Written only while nothing is alive.
struct Configuration {
  bool serial = false;
  unsigned workers = 1;
  std::size_t serial_stack = 0;
  join_policy joins = join_policy::off;
};
extern Configuration in_force;

// Reads the environment; ends the program with a message and code 64 if it cannot be understood.
void apply_environment();

}  // namespace anyorder::runtime
