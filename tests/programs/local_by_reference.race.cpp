// A local of main that two tasks change.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  int x = 0;
  ao::finish([&] {
    ao::async([&] { x = 1; });  // RACE(a): write
    ao::async([&] { x = 2; });  // RACE(a): write
  });
  return x < 0 ? 1 : 0;
}
