// The end of a region awaits what is left in it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  {
    ao::region r;
    r.post([] { x = 1; });
  }
  return x == 1 ? 0 : 1;
}
