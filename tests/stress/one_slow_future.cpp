// 200,000 tasks that all wait for one slow future: most of them must not be given a stack before it ends.
#include <atomic>
#include <chrono>
#include <thread>

#include <anyorder/anyorder.hpp>

#include "memory.hpp"

namespace ao = anyorder;

int main() {
  constexpr int kTasks = 200'000;
  std::atomic<long> sum{0};
  ao::finish([&] {
    const ao::future<int> slow = ao::async_future([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      return 3;
    });
    for (int i = 0; i < kTasks; ++i) {
      ao::async([&sum, slow] { sum.fetch_add(slow.get(), std::memory_order_relaxed); });
    }
  });
  stress::require(sum.load() == 3L * kTasks, "every task got the value");
  stress::report_peak("200,000 tasks wait for one future", 400);
}
