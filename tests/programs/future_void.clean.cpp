// future<void>: a pure signal.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;

int main() {
  ao::finish([] {
    const ao::future<void> signal = ao::async_future([] { x = 1; });
    ao::async([signal] {
      signal.get();
      y = x + 1;
    });
  });
  return y == 2 ? 0 : 1;
}
