// Sixteen bytes in one store, and eight of them.
#include <cstdint>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

union Wide {
  unsigned __int128 all;
  std::uint64_t half[2];
};

Wide wide{};

int main() {
  ao::finish([] {
    ao::async([] { wide.all = 1; });      // RACE(a): write
    ao::async([] { wide.half[1] = 2; });  // RACE(a): write
  });
}
