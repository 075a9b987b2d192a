// Bit-fields of one unit are one memory location.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Flags {
  unsigned a : 4;
  unsigned b : 4;
};

Flags flags{};

int main() {
  ao::finish([] {
    ao::async([] { flags.a = 1; });  // RACE(a): update
    ao::async([] { flags.b = 2; });  // RACE(a): update
  });
}
