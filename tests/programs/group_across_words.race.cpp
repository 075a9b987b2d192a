// As group_of_a_word, where the fields that seem to fill a word are parts of two.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Pair {
  int low;
  int high;
};
alignas(8) int room[7];
int sums[64];

static Pair& pair_at(int i) { return *reinterpret_cast<Pair*>(room + i); }

[[gnu::noinline]] static int sum_of(const Pair& pair) {
  int sum = pair.low;    // RACE(low): read
  sum += 3 * pair.high;  // RACE(high): read
  return sum;
}
[[gnu::noinline]] static void set(Pair& pair, int to) {
  pair.low = to;       // RACE(low): write
  pair.high = to + 1;  // RACE(high): write
}
[[gnu::noinline]] static int difference(const Pair& pair) {
  int sum = pair.high;  // RACE(last_high): read
  sum -= pair.low;
  return sum;
}

int main() {
  ao::finish([] {
    ao::async([] { set(pair_at(1), 1); });
    ao::async([] { sums[0] = sum_of(pair_at(1)); });
  });
  ao::finish([] {
    ao::async([] { sums[0] = sum_of(pair_at(3)); });
    ao::async([] { set(pair_at(3), 2); });
  });
  ao::finish([] {
    for (int i = 0; i < 20; ++i) ao::async_future([i] { sums[8 + i] = difference(pair_at(5)); });
    room[6] = 3;  // RACE(last_high): write
  });
}
