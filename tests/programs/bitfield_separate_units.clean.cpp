// A bit-field of width zero begins a new memory location.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Flags {
  unsigned a : 4;
  unsigned : 0;
  unsigned b : 4;
};

Flags flags{};

int main() {
  ao::finish([] {
    ao::async([] { flags.a = 1; });
    ao::async([] { flags.b = 2; });
  });
  return flags.a + flags.b == 3 ? 0 : 1;
}
