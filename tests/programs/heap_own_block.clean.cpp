// Each task allocates, uses and frees its own block, which the next may get again.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[8];

__attribute__((noinline)) int use(int* block, int value) {
  for (int k = 0; k < 16; ++k) block[k] = value;
  return block[15];
}

int main() {
  ao::forall(0, 8, [](int i) {
    int* const made = new int[16];
    out[i] = use(made, i);
    delete[] made;
    int* const allocated = static_cast<int*>(std::malloc(16 * sizeof(int)));
    out[i] += use(allocated, i);
    std::free(allocated);
  });
  return out[7] == 14 ? 0 : 1;
}
