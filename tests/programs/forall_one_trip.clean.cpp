// One index is one task: it may write a scalar.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::forall(0, 1, [](int) { x += 1; });
  ao::forall(5, 6, [](int) { x += 1; });
  return x == 2 ? 0 : 1;
}
