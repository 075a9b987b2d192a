// 1,000,000 futures, created and then joined in reverse order; then once more in the order of creation.
#include <vector>

#include <anyorder/anyorder.hpp>

#include "memory.hpp"

namespace ao = anyorder;

int main() {
  constexpr long kFutures = 1'000'000;
  for (const bool reverse : {true, false}) {
    const long sum = ao::finish([&] {
      std::vector<ao::future<long>> all;
      all.reserve(kFutures);
      for (long i = 0; i < kFutures; ++i) all.push_back(ao::async_future([i] { return i; }));
      long total = 0;
      for (long i = 0; i < kFutures; ++i) {
        total += all[static_cast<std::size_t>(reverse ? kFutures - 1 - i : i)].get();
      }
      return total;
    });
    stress::require(sum == kFutures * (kFutures - 1) / 2, "the sum over all futures");
  }
  stress::report_peak("1,000,000 futures joined in reverse", 400);
}
