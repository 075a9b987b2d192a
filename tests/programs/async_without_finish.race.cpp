// The finish around the whole program joins these two, but does not put them in order.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::async([] { x = 1; });  // RACE(a): write
  ao::async([] { x = 2; });  // RACE(a): write
}
