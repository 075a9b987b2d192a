// A sum by parts, one per index, added up behind the join.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<long> part(16);
  ao::forall(std::size_t{0}, part.size(), [&](std::size_t i) { part[i] = static_cast<long>(i); });
  long sum = 0;
  for (const long p : part) sum += p;
  return sum == 120 ? 0 : 1;
}
