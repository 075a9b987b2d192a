// alloca in sibling tasks: as much stack as each of them needs.
#include <alloca.h>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[6];

__attribute__((noinline)) void fill(int* where, int count, int value) {
  for (int k = 0; k < count; ++k) where[k] = value;
}

int main() {
  ao::forall(0, 6, [](int i) {
    const int count = 10 * (i + 1);
    int* const buffer = static_cast<int*>(alloca(static_cast<std::size_t>(count) * sizeof(int)));
    fill(buffer, count, i);
    out[i] = buffer[count - 1];
  });
  return out[5] == 5 ? 0 : 1;
}
