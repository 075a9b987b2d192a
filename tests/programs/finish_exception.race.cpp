// Failed tasks race like any others: each had written before it threw.
#include <stdexcept>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

void fail() { throw std::runtime_error("from a task"); }

int main() {
  try {
    ao::finish([] {
      ao::async([] {
        x = 1;  // RACE(a): write
        fail();
      });
      ao::async([] {
        x = 2;  // RACE(a): write
        fail();
      });
    });
  } catch (const std::runtime_error&) {
    x = 3;
  }
}
