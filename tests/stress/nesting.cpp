// A million nested tasks: each is created by the one before, in a finish of its own.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

#include "memory.hpp"

namespace ao = anyorder;

namespace {

void nest(long levels, long& deepest) {
  if (levels == 0) return;
  ao::finish([&] {
    ao::async([&] {
      ++deepest;
      nest(levels - 1, deepest);
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const long levels = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  long deepest = 0;
  nest(levels, deepest);
  stress::require(deepest == levels, "every level ran");
  stress::report_peak("1,000,000 nested tasks", 1500);
}
