// To have the handle of the inner task is not to have waited for it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

ao::future<int> start() {
  return ao::async_future([] { return x = 3; });  // RACE(a): write
}

int main() {
  ao::finish([] {
    const auto outer = ao::async_future([] { return start(); });
    const ao::future<int> inner = outer.get();
    seen = x;  // RACE(a): read
    inner.get();
  });
}
