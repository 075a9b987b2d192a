// The value of a finish is computed before its tasks are joined.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  const int seen = ao::finish([] {
    ao::async([] { x = 4; });  // RACE(a): write
    return x;                  // RACE(a): read
  });
  return seen < 0 ? 1 : 0;
}
