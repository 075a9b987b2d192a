// What a future's task did precedes what comes after its get.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] {
      x = 1;
      return 2;
    });
    x += done.get();
  });
  return x == 3 ? 0 : 1;
}
