// memmove reads and writes; the other task reads where it writes.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char text[64];
char seen = 0;
std::size_t length = 20;

int main() {
  ao::finish([] {
    ao::async([] { seen = text[30]; });                            // RACE(a): read
    ao::async([] { std::memmove(text + 16, text + 8, length); });  // RACE(a): write
  });
}
