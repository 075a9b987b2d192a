// A handle that nobody asks orders nothing.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    const auto never_got = ao::async_future([] { return x = 1; });  // RACE(a): write
    x = 2;                                                          // RACE(a): write
  });
}
