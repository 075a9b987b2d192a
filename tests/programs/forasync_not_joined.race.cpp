// A forasync does not wait: one element is read too early.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[8];
int seen = 0;

int main() {
  ao::finish([] {
    ao::forasync(0, 8, [](int i) { a[i] = i; });  // RACE(a): write
    seen = a[3];                                  // RACE(a): read
  });
}
