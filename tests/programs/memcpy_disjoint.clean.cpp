// Copies from shared sources into the parts of one buffer.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char source[64];
char target[256];

int main() {
  std::memset(source, 'x', sizeof source);
  ao::forall(0, 4, [](int i) { std::memcpy(target + 64 * i, source, 64); });
  return target[0] == 'x' && target[255] == 'x' ? 0 : 1;
}
