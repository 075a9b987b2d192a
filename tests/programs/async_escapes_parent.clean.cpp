// A finish joins tasks of any depth.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] { ao::async([] { ao::async([] { ao::async([] { x = 1; }); }); }); });
  x += 2;
  return x == 3 ? 0 : 1;
}
