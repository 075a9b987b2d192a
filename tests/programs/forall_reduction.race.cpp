// A sum without protection.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  long sum = 0;
  ao::forall(0, 16, [&](int i) { sum += i; });  // RACE(a): update update
  return sum < 0 ? 1 : 0;
}
