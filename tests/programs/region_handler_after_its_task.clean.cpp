// A handler comes after its own task and after all that was posted before it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;

int main() {
  ao::region r;
  r.post([] { x = 1; });
  r.post([] { y = 1; }, [] { x = y + 1; });
  r.await();
  return x == 2 ? 0 : 1;
}
