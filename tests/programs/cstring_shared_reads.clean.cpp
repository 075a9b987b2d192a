// strlen, strcmp and memcmp of what nobody writes.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char text[32] = "shared text";
std::size_t length[3];

int main() {
  ao::finish([] {
    ao::async([] { length[0] = std::strlen(text); });
    ao::async([] { length[1] = std::strcmp(text, "shared text") == 0 ? 11 : 0; });
    ao::async([] { length[2] = std::memcmp(text, "shared", 6) == 0 ? 6 : 0; });
  });
  return length[0] + length[1] + length[2] == 28 ? 0 : 1;
}
