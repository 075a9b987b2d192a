// The same with malloc and free, and a write.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  int* const block = static_cast<int*>(std::malloc(8 * sizeof(int)));
  ao::finish([&] {
    ao::async([&] { block[5] = 1; });      // RACE(a): write
    ao::async([&] { std::free(block); });  // RACE(a): write
  });
}
