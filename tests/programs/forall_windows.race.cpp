// Windows of three that overlap.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[40];

int main() {
  ao::forall(0, 10, [](int i) {
    for (int j = 2 * i; j < 2 * i + 3; ++j) a[j] = i;  // RACE(a): write write
  });
}
