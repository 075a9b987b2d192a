// The length of a string that the other task copies over.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char text[32] = "shared text";
char other[32] = "new";
std::size_t length = 0;

int main() {
  ao::finish([] {
    ao::async([] { length = std::strlen(text); });  // RACE(a): read
    ao::async([] { std::strcpy(text, other); });    // RACE(a): write
  });
}
