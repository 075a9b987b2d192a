// The loop's tasks and the parent share the body; that the parent lets go of it last orders nothing.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::forasync(0, 1, [](int) { x = 1; });  // RACE(a): write
    x = 2;                                   // RACE(a): write
  });
}
