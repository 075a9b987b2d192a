// Captures by value are private to each task, and the parent's variable stays its own.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::array<int, 4> results{};

int main() {
  int n = 10;
  ao::finish([&] {
    for (std::size_t i = 0; i < results.size(); ++i) {
      ao::async([n, i]() mutable {
        n += static_cast<int>(i);
        results[i] = n;
      });
      ++n;
    }
  });
  return results[3] == 16 && n == 14 ? 0 : 1;
}
