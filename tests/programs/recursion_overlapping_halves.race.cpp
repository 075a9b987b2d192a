// Halves that share their middle element: each increments it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int data[5];

void touch(int low, int high) {                    // [low, high]
  for (int i = low; i <= high; ++i) data[i] += 1;  // RACE(a): update update
}

int main() {
  ao::finish([] {
    ao::async([] { touch(0, 2); });
    ao::async([] { touch(2, 4); });
  });
}
