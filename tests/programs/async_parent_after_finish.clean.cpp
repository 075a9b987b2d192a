// The end of a finish orders its tasks before what follows.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] { ao::async([] { x = 1; }); });
  x = x + 1;
  return x == 2 ? 0 : 1;
}
