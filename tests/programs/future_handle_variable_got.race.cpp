// A get on a shared handle variable reads it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

ao::future<int> handle;
int seen = 0;

int main() {
  ao::finish([] {
    handle = ao::async_future([] { return 1; });
    ao::async([] { seen = handle.get(); });                          // RACE(a): read
    ao::async([] { handle = ao::async_future([] { return 2; }); });  // RACE(a): update
  });
}
