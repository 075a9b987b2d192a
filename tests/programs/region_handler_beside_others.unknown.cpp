// A handler with side effects is not the only one in its region: the last to be called decides.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int last = 0;

int main() {
  ao::region r;
  r.post([] { return 1; }, [](int name) { last = name; });  // UNKNOWN: the schedule decides when it is called
  r.post([] { return 2; }, [](int name) { last = name; });
  r.await_one();
  r.await();
}
