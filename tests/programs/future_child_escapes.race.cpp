// A get waits for the task, not for the tasks that it created.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] {
      ao::async([] { x = 1; });  // RACE(a): write
      return 1;
    });
    seen = done.get();
    seen += x;  // RACE(a): read
  });
}
