// Atomic operations never race.
#include <atomic>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::atomic<int> counter{0};
std::atomic<long> largest{0};

int main() {
  ao::forall(0, 16, [](int i) {
    counter.fetch_add(1);
    counter += 2;
    long seen = largest.load(std::memory_order_relaxed);
    while (seen < i && !largest.compare_exchange_weak(seen, i)) {
    }
  });
  return counter == 48 && largest == 15 ? 0 : 1;
}
