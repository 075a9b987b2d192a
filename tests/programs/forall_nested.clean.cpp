// Loops in loops: each pair of indexes has its own cell.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int m[8][8];

int main() {
  ao::forall(0, 8, [](int i) {
    ao::forall(0, 8, [i](int j) { m[i][j] = i * j; });
    int sum = 0;
    for (const int v : m[i]) sum += v;
    m[i][0] = sum;
  });
  return m[2][0] == 56 ? 0 : 1;
}
