// With one task in the region await_one has no choice: its handler may have side effects, and what follows
// comes after it. The task that it has left behind is none that was awaited.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;
int seen = 0;

int main() {
  ao::region r;
  r.post(
      [&r] {
        r.post([] { y = 1; });
        return x;
      },
      [](int value) { seen = value; });
  r.await_one();
  x = seen + 1;
  r.await_one();
  return x == 1 && y == 1 ? 0 : 1;
}
