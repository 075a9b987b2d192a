// An atomic counter does not protect its neighbour.
#include <atomic>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Shared {
  std::atomic<int> counter{0};
  int plain = 0;
};

Shared shared;

int main() {
  ao::finish([] {
    ao::async([] {
      shared.counter += 1;
      shared.plain = 1;  // RACE(a): write
    });
    ao::async([] {
      shared.counter += 1;
      shared.plain = 2;  // RACE(a): write
    });
  });
}
