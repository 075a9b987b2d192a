// qsort on the halves of one array.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int data[40];

int by_value(const void* a, const void* b) {
  const int left = *static_cast<const int*>(a);
  const int right = *static_cast<const int*>(b);
  return left < right ? -1 : left > right;
}

int main() {
  for (int i = 0; i < 40; ++i) data[i] = (i * 7) % 20;
  ao::finish([] {
    ao::async([] { std::qsort(data, 20, sizeof(int), by_value); });
    ao::async([] { std::qsort(data + 20, 20, sizeof(int), by_value); });
  });
  return data[0] == 0 && data[19] == 19 && data[20] == 0 ? 0 : 1;
}
