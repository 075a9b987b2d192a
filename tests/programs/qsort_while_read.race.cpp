// One task sorts what the other reads.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int data[20];
int seen = 0;

int by_value(const void* a, const void* b) {
  const int left = *static_cast<const int*>(a);
  const int right = *static_cast<const int*>(b);
  return left < right ? -1 : left > right;
}

int main() {
  for (int i = 0; i < 20; ++i) data[i] = (i * 7) % 20;
  ao::finish([] {
    ao::async([] { seen = data[10]; });                              // RACE(a): read
    ao::async([] { std::qsort(data, 20, sizeof(int), by_value); });  // RACE(a): write
  });
}
