// A deep task, then a shallow parent frame that lies where the deep task's frames were.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[3];

__attribute__((noinline)) int depth(int levels, int* above) {
  int mine[8] = {levels, *above};
  if (levels == 0) return mine[0];
  const int below = depth(levels - 1, &mine[0]);
  return below + mine[0];
}

__attribute__((noinline)) void start(int i) {
  int local = i;
  ao::async([i] {
    int seed = i;
    out[i] = depth(20, &seed);
  });
  out[2] += depth(5, &local);
}

int main() {
  ao::finish([] {
    start(0);
    start(1);
  });
  return out[0] == 210 && out[1] == 210 && out[2] == 30 ? 0 : 1;
}
