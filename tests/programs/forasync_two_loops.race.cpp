// Two loops in one finish run side by side.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[8];

int main() {
  ao::finish([] {
    ao::forasync(0, 8, [](int i) { a[i] = i; });   // RACE(a): write
    ao::forasync(0, 8, [](int i) { a[i] = -i; });  // RACE(a): write
  });
}
