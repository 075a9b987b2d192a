// Tasks access the words beside each other, each on several lines, or parts of one on some ways only; who
// reads what others have written has waited for them.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Pair {
  int low;
  int high;
};
Pair pairs[16];
int sums[16];

[[gnu::noinline]] static int sum_of(const Pair& pair) {
  int sum = pair.low;
  sum += 3 * pair.high;
  return sum;
}
[[gnu::noinline]] static void set(Pair& pair, int to) {
  pair.low = to;
  pair.high = to + 1;
}
// The other half is another task's, unless all is wanted.
[[gnu::noinline]] static int some_of(const Pair& pair, bool all) {
  int sum = pair.low;
  if (all) sum += pair.high;
  return sum;
}

int main() {
  ao::finish([] {
    for (int i = 0; i < 16; ++i) ao::async([i] { set(pairs[i], i); });
  });
  ao::finish([] {
    for (int i = 0; i < 16; ++i)
      ao::async_future([i] { sums[i] = sum_of(pairs[i]) + sum_of(pairs[15 - i]); });
  });
  int wrong = 0;
  for (int i = 0; i < 16; ++i) wrong += sums[i] == 66 ? 0 : 1;
  ao::finish([] {
    ao::async([] { sums[0] = some_of(pairs[0], false); });
    ao::async([] { pairs[0].high = 7; });
  });
  return wrong + sums[0] + pairs[0].high - 7;
}
