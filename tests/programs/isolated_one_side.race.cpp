// One side is isolated, the other is not.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated([] { x = 1; }); });  // RACE(a): write
    ao::async([] { x = 2; });                        // RACE(a): write
  });
}
