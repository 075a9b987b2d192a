// What is accessed on several lines fills words, which may be checked at once: each line still races by
// itself.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Pair {
  int low;
  int high;
};
struct Mixed {
  int whole;
  short half;
  char first;
  char second;
};
Pair pairs[6];
Mixed mixed;
int sums[64];

[[gnu::noinline]] static int sum_of(const Pair& pair) {
  int sum = pair.low;    // RACE(low): read
  sum += 3 * pair.high;  // RACE(high): read
  return sum;
}
[[gnu::noinline]] static void set(Pair& pair, int to) {
  pair.low = to;       // RACE(low): write
  pair.high = to + 1;  // RACE(high): write
}

// Of many readers, each at its own place.
[[gnu::noinline]] static int difference(const Pair& pair) {
  int sum = pair.high;  // RACE(last_high): read
  sum -= pair.low;
  return sum;
}

// Two tasks have written a half each before all of it is read.
[[gnu::noinline]] static int product(const Pair& pair) {
  int factor = pair.low;  // RACE(one_half): read
  factor *= pair.high;    // RACE(other_half): read
  return factor;
}

[[gnu::noinline]] static void fill(Mixed& to, int by) {
  to.whole = by;                          // RACE(whole): write
  to.half = static_cast<short>(by);       // RACE(half): write
  to.first = static_cast<char>(by);       // RACE(first): write
  to.second = static_cast<char>(by + 1);  // RACE(second): write
}
[[gnu::noinline]] static int total(const Mixed& of) {
  int sum = of.second;  // RACE(second): read
  sum += of.first;      // RACE(first): read
  sum += of.half;       // RACE(half): read
  sum += of.whole;      // RACE(whole): read
  return sum;
}

int main() {
  ao::finish([] {
    ao::async([] { set(pairs[0], 1); });
    ao::async([] { sums[0] = sum_of(pairs[0]); });
  });
  // The other way round.
  ao::finish([] {
    ao::async([] { sums[0] = sum_of(pairs[1]); });
    ao::async([] { set(pairs[1], 2); });
  });
  ao::finish([] {
    for (int i = 0; i < 20; ++i) ao::async_future([i] { sums[8 + i] = difference(pairs[2]); });
    pairs[2].high = 3;  // RACE(last_high): write
  });
  ao::finish([] {
    ao::async([] { pairs[3].low = 4; });   // RACE(one_half): write
    ao::async([] { pairs[3].high = 5; });  // RACE(other_half): write
    ao::async([] { sums[1] = product(pairs[3]); });
  });
  ao::finish([] {
    ao::async([] { fill(mixed, 6); });
    ao::async([] { sums[2] = total(mixed); });
  });
}
