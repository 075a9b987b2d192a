// future<int&>: what the reference names is written before the get and changed after it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    const ao::future<int&> place = ao::async_future([]() -> int& {
      x = 1;
      return x;
    });
    place.get() += 1;
  });
  return x == 2 ? 0 : 1;
}
