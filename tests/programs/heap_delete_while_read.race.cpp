// One task reads the block that the other deletes: a free counts as a write.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  int* const block = new int(7);
  ao::finish([&] {
    ao::async([&] { seen = *block; });  // RACE(a): read
    ao::async([&] { delete block; });   // RACE(a): write
  });
}
