// A handle in a shared variable, written before the finish that its readers come after.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

ao::future<int> handle;
int x = 0;
int seen[2];

int main() {
  ao::finish([] {
    ao::finish([] { ao::async([] { handle = ao::async_future([] { return x = 1; }); }); });
    ao::async([] { seen[0] = handle.get() + x; });
    ao::async([] { seen[1] = handle.get() + x; });
  });
  return seen[0] + seen[1] == 4 ? 0 : 1;
}
