// The second task has the handle of the first and does not use it: getting the second orders nothing of the
// first.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;

int main() {
  ao::finish([] {
    const auto first = ao::async_future([] { x = 1; });  // RACE(a): write
    const auto second = ao::async_future([first] { y = first.valid() ? 1 : 0; });
    second.get();
    x = y;  // RACE(a): write
  });
}
