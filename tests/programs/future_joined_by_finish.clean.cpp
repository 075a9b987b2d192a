// A finish joins its futures like other tasks.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] { ao::async_future([] { return x = 1; }); });
  x += 1;
  return x == 2 ? 0 : 1;
}
