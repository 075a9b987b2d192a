// isolated hands out a value: each task has its own ticket, whichever it is.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int next_ticket = 0;
int ticket[8];

int main() {
  ao::forall(0, 8, [](int i) { ticket[i] = ao::isolated([] { return next_ticket++; }); });
  int sum = 0;
  for (const int t : ticket) sum += t;
  return sum == 28 ? 0 : 1;
}
