// A grandchild outlives its parent: only the finish of main joins it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      ao::async([] {
        ao::async([] { x = 1; });  // RACE(a): write
      });
    });
    x = 2;  // RACE(a): write
  });
}
