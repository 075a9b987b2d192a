// All accesses to the counter are isolated.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int counter = 0;

int main() {
  ao::forall(0, 16, [](int) { ao::isolated([] { counter += 1; }); });
  return counter == 16 ? 0 : 1;
}
