// A chain of 100,000 futures, each of which gets the one before. The last one runs first, so that it claims
// the one before it, and so on down to the first: claims nest far beyond one stack.
#include <anyorder/anyorder.hpp>

#include "memory.hpp"

namespace ao = anyorder;

int main() {
  constexpr int kLength = 100'000;
  const int sum = ao::finish([] {
    ao::future<int> last = ao::async_future([] { return 1; });
    for (int i = 1; i < kLength; ++i) {
      last = ao::async_future([before = last] { return before.get() + 1; });
    }
    return last.get();
  });
  stress::require(sum == kLength, "the sum over the chain");
  stress::report_peak("chain of 100,000 futures", 400);
}
