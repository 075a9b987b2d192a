// Rounds: each finish separates its tasks from those of the next round.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::array<int, 6> cells{};

int main() {
  for (int round = 0; round < 5; ++round) {
    ao::finish([] {
      for (std::size_t i = 0; i < cells.size(); i += 2) ao::async([i] { cells[i] += 1; });
    });
    ao::finish([] {
      for (std::size_t i = 1; i < cells.size(); i += 2) ao::async([i] { cells[i] += cells[i - 1]; });
    });
  }
  return cells[1] == 15 ? 0 : 1;
}
