// Loops in loops, and the outer index is forgotten.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int row[8];

int main() {
  ao::forall(0, 4, [](int i) {
    ao::forall(0, 8, [i](int j) { row[j] = i; });  // RACE(a): write write
  });
}
