// A child of one task against a sibling of that task.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      ao::async([] { x = 1; });  // RACE(a): write
    });
    ao::async([] { seen = x; });  // RACE(a): read
  });
}
