// The handle itself travels through a shared variable: that is a race, whatever its task does.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

ao::future<int> handle;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] { handle = ao::async_future([] { return 1; }); });  // RACE(a): update
    ao::async([] {
      const ao::future<int> mine = handle;  // RACE(a): read
      if (mine.valid()) seen = mine.get();
    });
  });
}
