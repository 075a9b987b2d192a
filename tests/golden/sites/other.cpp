#include "shared.hpp"

// The type of what another file defines is not in the debug information.
extern int states[2];
[[gnu::noinline]] static void touch() {
  states[1] = 2;  // SITE touch(): states
}

void from_other_file() {
  twice([] { touch(); });
  twice([] { count(1); });
}
