// A future that joins its children by a finish hands them over with its get.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] {
      ao::finish([] { ao::async([] { x = 1; }); });
      return 1;
    });
    seen = done.get();
    seen += x;
  });
  return seen == 2 ? 0 : 1;
}
