// Figure 1 (a) of Nakade, Mercer, Aldous and McCarthy: the child's section first, and the two writes race.
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int g = 0;

int main() {
  g = 0;
  ao::region r;
  r.post([] {
    ao::isolated([] {});
    g = 2;
    return 0;
  });
  ao::isolated([] { g = 1; });
  r.await();
}
// SAYS: write-write race on g
// SAYS: the isolated sections ran in this order:
// SAYS: 2 orders of isolated sections, 4 states
