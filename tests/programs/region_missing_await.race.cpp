// The parent reads before it has awaited the task that writes.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::region r;
  r.post([] { x = 1; });  // RACE(a): write
  seen = x;               // RACE(a): read
  r.await();
}
