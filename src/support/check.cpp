#include "support/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace anyorder::support {

void check_failed(const char* condition, const char* message, const char* file, int line) noexcept {
  std::fprintf(stderr, "anyorder: internal error at %s:%d: %s (%s). Please report this.\n", file, line,
               message, condition);
  std::abort();
}

}  // namespace anyorder::support
