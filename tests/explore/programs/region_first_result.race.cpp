// What the second task did is read only if it was the first to be taken: one choice of two is a race.
#include <cstdio>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int of_first = 0;

int main() {
  int taken = 0;
  ao::region r;
  r.post(
      [] {
        of_first = 5;
        return 1;
      },
      [&](int name) { taken = name; });
  r.post([] { return 2; }, [&](int name) { taken = name; });
  r.await_one();
  if (taken == 2) std::printf("%d\n", of_first);
  r.await();
}
// SAYS: write-read race on of_first
// SAYS: the choices of await_one came in this order:
// SAYS: cpp:19, of the main task, takes task 2
// SAYS: anyorder replay 1 --
// SAYS: 2 orders of isolated sections and choices of await_one, 2 states, at most 1 of both
