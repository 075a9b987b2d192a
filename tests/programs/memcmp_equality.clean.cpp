// A comparison that asks only whether sixteen bytes are equal, and a write behind them.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char left[16] = "the same";
char right[17] = "the same";
bool equal = false;

int main() {
  ao::finish([] {
    ao::async([] { equal = std::memcmp(left, right, sizeof left) == 0; });
    ao::async([] { right[16] = 1; });
  });
}
