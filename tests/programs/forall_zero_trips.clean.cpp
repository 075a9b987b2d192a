// No index, no task; also where the end comes before the beginning.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::forall(0, 0, [](int) { x = 1; });
    ao::forasync(7, 3, [](int) { x = 2; });
    x += 3;
  });
  return x == 3 ? 0 : 1;
}
