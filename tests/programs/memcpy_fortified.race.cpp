// Copies that the C library checks against the size of what they write to, as -D_FORTIFY_SOURCE makes them.
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char to[32];
char from[32] = "some text";
std::size_t length = 10;
char name[16];
char cleared[16];

int main() {
  ao::finish([] {
    ao::async([] { std::memcpy(to, from, length); });        // RACE(a): write
    ao::async([] { to[9] = 'x'; });                          // RACE(a): write
    ao::async([] { std::strcpy(name, from); });              // RACE(b): write
    ao::async([] { name[3] = 'x'; });                        // RACE(b): write
    ao::async([] { std::memset(cleared, 0, length + 1); });  // RACE(c): write
    ao::async([] { cleared[10] = 'x'; });                    // RACE(c): write
  });
}
