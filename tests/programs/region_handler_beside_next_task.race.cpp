// await calls the first handler before it waits for the second task.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::region r;
  r.post([] {}, [] { x = 1; });  // RACE(a): write
  r.post([] { x = 2; });         // RACE(a): write
  r.await();
}
