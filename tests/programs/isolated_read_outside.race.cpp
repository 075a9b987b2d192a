// Writes are isolated, the parent's read is not.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated([] { x = 1; }); });  // RACE(a): write
    seen = x;                                        // RACE(a): read
  });
}
