// Tasks of one finish and tasks of the next are in order.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] { ao::async([] { x = 1; }); });
  ao::finish([] { ao::async([] { x += 1; }); });
  ao::finish([] { ao::async([] { seen = x; }); });
  return seen == 2 ? 0 : 1;
}
