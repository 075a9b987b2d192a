// A function's static local counts its calls.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int next_number() {
  static int number = 0;
  return ++number;  // RACE(a): update update
}

int got[4];

int main() {
  ao::forall(0, 4, [](int i) { got[i] = next_number(); });
}
