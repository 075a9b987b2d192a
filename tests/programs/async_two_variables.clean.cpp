// Two siblings write a variable each.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;

int main() {
  ao::finish([] {
    ao::async([] { x = 1; });
    ao::async([] { y = 2; });
  });
  return x + y == 3 ? 0 : 1;
}
