// A stencil from one buffer into the other.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int from[34];
int to[34];

int main() {
  for (int i = 0; i < 34; ++i) from[i] = i;
  ao::forall(1, 33, [](int i) { to[i] = from[i - 1] + from[i] + from[i + 1]; });
  return to[10] == 30 ? 0 : 1;
}
