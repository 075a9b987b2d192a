// A sibling's get orders the sibling, not the parent.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;
int seen_by_parent = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] { return x = 1; });  // RACE(a): write
    ao::async([done] {
      done.get();
      seen = x;
    });
    seen_by_parent = x;  // RACE(a): read
  });
}
