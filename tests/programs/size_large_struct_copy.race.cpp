// A copy of a kilobyte, and one element in the middle of its source.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Block {
  int cell[256];
};

Block source{};
Block target{};

int main() {
  ao::finish([] {
    ao::async([] { target = source; });      // RACE(a): read
    ao::async([] { source.cell[99] = 1; });  // RACE(a): write
  });
}
