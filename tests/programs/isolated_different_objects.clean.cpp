// Sections on different objects, each with the data of its object.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int account[2];

int main() {
  ao::forall(0, 8, [](int i) {
    int* const mine = &account[i % 2];
    ao::isolated(mine, [mine, i] { *mine += i; });
  });
  return account[0] == 12 && account[1] == 16 ? 0 : 1;
}
