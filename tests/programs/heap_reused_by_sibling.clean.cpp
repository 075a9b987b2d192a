// A block that one task has freed and another gets again is another block.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[2];

int main() {
  ao::finish([] {
    for (int i = 0; i < 2; ++i) {
      int* const block = new int(i);
      ao::async([block, i] {
        *block += 1;
        out[i] = *block;
        delete block;
      });
    }
  });
  return out[0] + out[1] == 3 ? 0 : 1;
}
