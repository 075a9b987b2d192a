// A function returns a handle; a future's result is a handle.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

ao::future<int> start() {
  return ao::async_future([] { return x = 3; });
}

int main() {
  ao::finish([] {
    const auto outer = ao::async_future([] { return start(); });
    const ao::future<int> inner = outer.get();
    seen = inner.get();
    seen += x;
  });
  return seen == 6 ? 0 : 1;
}
