// Each task grows a block of its own; calloc's zeros are the task's as well.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[6];

int main() {
  ao::forall(0, 6, [](int i) {
    int* block = static_cast<int*>(std::calloc(4, sizeof(int)));
    block[3] += i;
    block = static_cast<int*>(std::realloc(block, 2000 * sizeof(int)));
    block[1999] = 1;
    out[i] = block[0] + block[3] + block[1999];
    std::free(block);
  });
  return out[5] == 6 ? 0 : 1;
}
