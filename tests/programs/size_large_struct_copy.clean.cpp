// Copies of a kilobyte from one source into several targets.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Block {
  int cell[256];
};

Block source{};
Block target[3];

int main() {
  source.cell[99] = 7;
  ao::forall(0, 3, [](int i) { target[i] = source; });
  return target[2].cell[99] == 7 ? 0 : 1;
}
