// Each finish orders its own tasks; what the outer tasks touch, the inner ones leave alone.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;
int z = 0;

int main() {
  ao::finish([] {
    ao::async([] { x = 1; });
    ao::finish([] {
      ao::async([] { y = 1; });
      ao::finish([] { ao::async([] { z = 1; }); });
      z += 1;
    });
    y += z;
  });
  return x + y + z == 6 ? 0 : 1;
}
