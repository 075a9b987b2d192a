// main gets the last of a chain; by the gets within the chain all of it is ordered.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;
int z = 0;

int main() {
  ao::finish([] {
    const auto first = ao::async_future([] { x = 1; });
    const auto second = ao::async_future([first] {
      first.get();
      y = x + 1;
    });
    const auto third = ao::async_future([second] {
      second.get();
      z = y + 1;
    });
    third.get();
    x += y + z;
  });
  return x == 6 ? 0 : 1;
}
