// The byte behind the end of a copy is somebody else's.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char source[128];
char target[128];
std::size_t length = 100;

int main() {
  ao::finish([] {
    ao::async([] { std::memcpy(target, source, length); });
    ao::async([] { source[100] = 1; });
    ao::async([] { target[100] = 2; });
  });
  return source[100] + target[100] == 3 ? 0 : 1;
}
