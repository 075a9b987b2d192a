// To know that a task has ended is not to have waited for it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] { return x = 1; });  // RACE(a): write
    static_cast<void>(done.ready());
    seen = x;  // RACE(a): read
  });
}
