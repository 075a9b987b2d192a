// The get orders what comes after it, not what came before.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] { return x = 1; });  // RACE(a): write
    seen = x;                                                  // RACE(a): read
    done.get();
    seen += x;
  });
}
