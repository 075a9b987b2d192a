// A task is awaited, but not the one that it has posted and left to its parent.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::region r;
  r.post([&r] {
    r.post([] { x = 1; });  // RACE(a): write
  });
  r.await_one();
  x = 2;  // RACE(a): write
  r.await();
}
