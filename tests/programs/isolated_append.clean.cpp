// The order of the elements depends on the schedule, and nothing races.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::vector<int> found;

int main() {
  ao::forall(0, 20, [](int i) { ao::isolated([i] { found.push_back(i); }); });
  int sum = 0;
  for (const int f : found) sum += f;
  return sum == 190 ? 0 : 1;
}
