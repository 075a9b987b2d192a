// Sections on different objects do not exclude each other, and these two touch the same data.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a = 0;
int b = 0;
int x = 0;

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated(&a, [] { x = 1; }); });  // RACE(a): write
    ao::async([] { ao::isolated(&b, [] { x = 2; }); });  // RACE(a): write
  });
}
