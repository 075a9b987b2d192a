#include "shared.hpp"

int last;

extern "C" void from_gone_library() {
  twice([] {
    last = 1;  // SITE a lambda in from_gone_library: last
  });
}
