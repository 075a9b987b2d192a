// Each index writes the same scalar, be it the same value.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int last = 0;

int main() {
  ao::forall(0, 16, [](int) { last = 1; });  // RACE(a): write write
}
