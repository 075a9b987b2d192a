// Different tasks change the values of different keys, all of which are there already.
#include <map>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::map<int, long> totals;
  for (int i = 0; i < 8; ++i) totals[i] = i;
  ao::forall(0, 8, [&](int i) { totals.at(i) += 10; });
  return totals[7] == 17 ? 0 : 1;
}
