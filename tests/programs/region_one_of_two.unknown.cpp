// Which of two tasks is awaited depends on the schedule: the other one may write while x is read.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::region r;
  r.post([] { x = 1; });
  r.post([] {});
  r.await_one();  // UNKNOWN: Which of 2 tasks it takes depends on the schedule
  seen = x;
  r.await();
}
