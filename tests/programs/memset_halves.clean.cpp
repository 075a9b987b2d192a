// memset of the parts of one buffer.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char buffer[200];

int main() {
  ao::forall(0, 4, [](int i) { std::memset(buffer + 50 * i, i + 1, 50); });
  return buffer[0] == 1 && buffer[49] == 1 && buffer[199] == 4 ? 0 : 1;
}
