// Two tasks of one region run in parallel.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::region r;
  r.post([] { x = 1; });  // RACE(a): write
  r.post([] { x = 2; });  // RACE(a): write
  r.await();
}
