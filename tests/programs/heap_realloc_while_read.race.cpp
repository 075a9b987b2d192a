// realloc may move the block, so that its reader is left with freed memory.
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  int* block = static_cast<int*>(std::calloc(4, sizeof(int)));
  int* const old = block;
  ao::finish([&] {
    ao::async([&] { seen = old[1]; });                                                     // RACE(a): read
    ao::async([&] { block = static_cast<int*>(std::realloc(old, 4096 * sizeof(int))); });  // RACE(a): write
  });
  std::free(block);
}
