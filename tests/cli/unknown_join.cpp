// A handle that is passed on through an isolated section: no race, but an unknown join.

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  ao::future<int> shared;
  ao::finish([&] {
    ao::async([&] {
      const ao::future<int> made = ao::async_future([] { return 1; });
      ao::isolated([&] { shared = made; });
    });
    ao::async([&] {
      ao::future<int> found;
      ao::isolated([&] { found = shared; });
      if (found.valid()) static_cast<void>(found.get());
    });
  });
}
