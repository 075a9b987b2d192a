// A comparison that asks only whether sixteen bytes are equal, and a write to the last of them.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char left[16] = "the same";
char right[16] = "the same";
bool equal = false;

int main() {
  ao::finish([] {
    ao::async([] { equal = std::memcmp(left, right, sizeof left) == 0; });  // RACE(a): read
    ao::async([] { right[15] = 1; });                                       // RACE(a): write
  });
}
