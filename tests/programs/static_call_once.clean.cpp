// call_once: whoever comes first prepares, and all others wait for it.
#include <mutex>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::once_flag once;
int prepared = 0;
int seen[4];

int main() {
  ao::forall(0, 4, [](int i) {
    std::call_once(once, [] { prepared = 9; });
    seen[i] = prepared;
  });
  return seen[0] + seen[3] == 18 ? 0 : 1;
}
