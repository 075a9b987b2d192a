// The parent reads what its child writes, before the finish that joins the child.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] { x = 1; });  // RACE(a): write
    seen = x;                  // RACE(a): read
  });
}
