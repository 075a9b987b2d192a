// A flag publishes data. Tasks do not put the two accesses in order.
// SCHEDULE: whether the second task reads.
#include <atomic>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::atomic<bool> ready{false};
int data = 0;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      data = 42;  // RACE(a): write
      ready.store(true, std::memory_order_release);
    });
    ao::async([] {
      if (ready.load(std::memory_order_acquire)) seen = data;  // RACE(a): read
    });
  });
}
