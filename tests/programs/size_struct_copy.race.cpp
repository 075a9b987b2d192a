// A copy of sixteen bytes reads the member that the other task writes.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Point {
  double x;
  double y;
};

Point point{1, 2};
Point copy{};

int main() {
  ao::finish([] {
    ao::async([] { copy = point; });   // RACE(a): read
    ao::async([] { point.y = 3.0; });  // RACE(a): write
  });
}
