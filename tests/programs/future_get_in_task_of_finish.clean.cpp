// A get inside a task, and the join of that task, order the future before the parent.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] { return x = 1; });
    ao::finish([&] { ao::async([&] { done.get(); }); });
    seen = x;
  });
  return seen == 1 ? 0 : 1;
}
