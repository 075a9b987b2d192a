// Neighbours in a vector<char> do not.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<char> bits(64);
  ao::finish([&] {
    ao::async([&] { bits[3] = 1; });
    ao::async([&] { bits[4] = 1; });
  });
  return bits[3] + bits[4] == 2 ? 0 : 1;
}
