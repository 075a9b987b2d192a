// A task joins its own children by a finish of its own.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::array<int, 4> part{};
std::array<int, 4> total{};

int main() {
  ao::finish([] {
    for (std::size_t t = 0; t < 2; ++t) {
      ao::async([t] {
        ao::finish([t] {
          ao::async([t] { part[2 * t] = 1; });
          ao::async([t] { part[2 * t + 1] = 2; });
        });
        total[t] = part[2 * t] + part[2 * t + 1];
      });
    }
  });
  return total[0] + total[1] == 6 ? 0 : 1;
}
