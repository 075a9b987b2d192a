// Siblings may run at the same stack addresses, one after the other: their locals have nothing in common.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[16];

__attribute__((noinline)) int sum_of(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

__attribute__((noinline)) void fill(int* values, int count, int value) {
  for (int i = 0; i < count; ++i) values[i] = value;
}

int main() {
  ao::forall(0, 16, [](int i) {
    int local[64];
    fill(local, 64, i);
    out[i] = sum_of(local, 64);
  });
  return out[15] == 960 ? 0 : 1;
}
