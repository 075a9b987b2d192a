// To let go of the last handle is not to wait.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async_future([] { return x = 1; });  // RACE(a): write
    x = 2;                                   // RACE(a): write
  });
}
