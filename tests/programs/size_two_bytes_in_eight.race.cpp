// A store of eight bytes over one of two in the middle of it.
#include <cstdint>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

union Word {
  std::uint64_t all;
  std::uint16_t part[4];
};

Word word{};

int main() {
  ao::finish([] {
    ao::async([] { word.all = 1; });      // RACE(a): write
    ao::async([] { word.part[2] = 2; });  // RACE(a): write
  });
}
