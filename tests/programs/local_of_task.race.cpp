// A task's local, shared with the task's own child.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      int local = 1;
      ao::finish([&] {
        ao::async([&] { local = 2; });  // RACE(a): write
        seen = local;                   // RACE(a): read
      });
    });
  });
}
