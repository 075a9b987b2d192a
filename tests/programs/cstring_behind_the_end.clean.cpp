// What lies behind the terminator is not part of the string.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char text[32] = "shared text";
char copy[32];
std::size_t length = 0;

int main() {
  ao::finish([] {
    ao::async([] { length = std::strlen(text); });
    ao::async([] { std::strcpy(copy, text); });
    ao::async([] { text[12] = 'x'; });
    ao::async([] { copy[12] = 'y'; });
  });
  return length == 11 && copy[10] == 't' && copy[12] == 'y' ? 0 : 1;
}
