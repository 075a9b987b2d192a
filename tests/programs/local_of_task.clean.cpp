// A task's local, shared with children that its own finish joins.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int sum[3];

int main() {
  ao::forall(0, 3, [](int i) {
    int part[2] = {0, 0};
    ao::finish([&] {
      ao::async([&] { part[0] = i; });
      ao::async([&] { part[1] = 10 * i; });
    });
    sum[i] = part[0] + part[1];
  });
  return sum[2] == 22 ? 0 : 1;
}
