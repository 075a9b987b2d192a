// Sixteen-byte neighbours.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

unsigned __int128 wide[3];
long double extended[3];

int main() {
  ao::finish([] {
    for (int i = 0; i < 3; ++i) {
      ao::async([i] { wide[i] = static_cast<unsigned>(i); });
      ao::async([i] { extended[i] = i; });
    }
  });
  return wide[2] == 2 && extended[1] == 1 ? 0 : 1;
}
