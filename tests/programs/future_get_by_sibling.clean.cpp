// A sibling gets the future and reads after it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] { return x = 1; });
    ao::async([done] {
      done.get();
      seen = x;
    });
  });
  return seen == 1 ? 0 : 1;
}
