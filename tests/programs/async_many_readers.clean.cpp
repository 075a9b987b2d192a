// Reads never race with each other.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 5;
std::array<int, 8> seen{};

int main() {
  ao::finish([] {
    for (std::size_t i = 0; i < seen.size(); ++i) ao::async([i] { seen[i] = x; });
  });
  for (const int s : seen) {
    if (s != 5) return 1;
  }
}
