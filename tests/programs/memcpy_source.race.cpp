// One task copies from what the other writes.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char source[128];
char target[128];
std::size_t length = 100;

int main() {
  ao::finish([] {
    ao::async([] { std::memcpy(target, source, length); });  // RACE(a): read
    ao::async([] { source[99] = 1; });                       // RACE(a): write
  });
}
