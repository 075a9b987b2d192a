// A task may write, and then hand on to its child; neither touches the variable again.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      x = 1;
      ao::async([] {
        x += 1;
        ao::async([] { x += 1; });
      });
    });
  });
  return x == 3 ? 0 : 1;
}
