// Two siblings write one variable.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async([] { x = 1; });  // RACE(a): write
    ao::async([] { x = 2; });  // RACE(a): write
  });
}
