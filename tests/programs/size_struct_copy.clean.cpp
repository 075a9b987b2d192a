// Copies of sixteen bytes between neighbours in an array.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Point {
  double x;
  double y;
};

Point point[6] = {{1, 2}, {3, 4}, {5, 6}};

int main() {
  ao::forall(0, 3, [](int i) { point[3 + i] = point[i]; });
  return point[5].y == 6 ? 0 : 1;
}
