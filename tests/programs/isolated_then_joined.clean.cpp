// Isolated while the tasks run, plain behind their join.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  x = 1;
  ao::finish([] {
    ao::async([] { ao::isolated([] { x += 1; }); });
    ao::async([] { ao::isolated([] { x += 1; }); });
  });
  x += 1;
  return x == 4 ? 0 : 1;
}
