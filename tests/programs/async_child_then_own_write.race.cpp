// As a chain of tasks, but the middle one writes after it has handed on.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      ao::async([] { x = 1; });  // RACE(a): write
      x = 2;                     // RACE(a): write
    });
  });
}
