// Two copies whose targets share the last bytes of one and the first of the other.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char source[128];
char target[128];
std::size_t length = 70;

int main() {
  ao::finish([] {
    ao::async([] { std::memcpy(target, source, length); });               // RACE(a): write
    ao::async([] { std::memcpy(target + 64, source + 1, length - 7); });  // RACE(a): write
  });
}
