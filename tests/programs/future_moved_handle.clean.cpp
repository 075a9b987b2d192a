// A handle that moves from hand to hand, in the end into the task that uses it; the empty variable gets a new
// one.
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;
int other = 0;

int main() {
  ao::finish([] {
    auto made = ao::async_future([] { return x = 5; });
    auto moved = std::move(made);
    ao::async([handle = std::move(moved)] {
      handle.get();
      seen = x;
    });
    made = ao::async_future([] { return 1; });
    other = made.get();
  });
  return seen == 5 && other == 1 ? 0 : 1;
}
