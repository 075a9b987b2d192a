// Two tasks write one element of a block.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  int* const block = new int[4]{};
  ao::finish([&] {
    ao::async([&] { block[2] = 1; });  // RACE(a): write
    ao::async([&] { block[2] = 2; });  // RACE(a): write
  });
  delete[] block;
}
