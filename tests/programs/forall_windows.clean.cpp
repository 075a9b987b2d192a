// Windows of three that touch.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[40];

int main() {
  ao::forall(0, 10, [](int i) {
    for (int j = 3 * i; j < 3 * i + 3; ++j) a[j] = i;
  });
  return a[29] == 9 ? 0 : 1;
}
