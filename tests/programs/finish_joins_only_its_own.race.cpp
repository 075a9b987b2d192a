// An inner finish does not wait for tasks that were created outside of it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] { x = 1; });  // RACE(a): write
    ao::finish([] { ao::async([] { y = 1; }); });
    seen = y;
    seen = x;  // RACE(a): read
  });
}
