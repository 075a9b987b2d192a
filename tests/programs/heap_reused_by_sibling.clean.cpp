// A block that one task has freed and another gets again is another block.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[2];

int main() {
  ao::finish([] {
    for (int i = 0; i < 2; ++i) {
      // Large enough that nothing else takes its place in between.
      int* const block = new int[5000];
      block[0] = i;
      ao::async([block, i] {
        block[0] += 1;
        out[i] = block[0];
        delete[] block;
      });
    }
  });
  return out[0] + out[1] == 3 ? 0 : 1;
}
