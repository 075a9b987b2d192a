// Each index reads the element that the next index writes.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[33];

int main() {
  ao::forall(0, 32, [](int i) {
    const int next = a[i + 1];  // RACE(a): read
    a[i] = next + 1;            // RACE(a): write
  });
}
