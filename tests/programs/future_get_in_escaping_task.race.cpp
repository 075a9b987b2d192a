// A child gets the future, but nothing joins the child before the parent reads.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    const auto done = ao::async_future([] { return x = 1; });  // RACE(a): write
    ao::async([done] { done.get(); });
    seen = x;  // RACE(a): read
  });
}
