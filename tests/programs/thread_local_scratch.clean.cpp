// Thread-local storage is not shared, whichever threads the tasks run on.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

thread_local int scratch = 0;
thread_local int more[4];
int out[8];

int main() {
  ao::forall(0, 8, [](int i) {
    scratch = i;
    more[i % 4] = scratch * 2;
    out[i] = scratch + more[i % 4];
  });
  return out[5] == 15 ? 0 : 1;
}
