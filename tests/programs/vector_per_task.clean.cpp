// Each task grows a vector of its own and moves it into its place.
#include <utility>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<std::vector<int>> all(6);
  ao::forall(std::size_t{0}, all.size(), [&](std::size_t i) {
    std::vector<int> mine;
    for (std::size_t k = 0; k <= 10 * i; ++k) mine.push_back(static_cast<int>(k));
    all[i] = std::move(mine);
  });
  return all[5].size() == 51 && all[5].back() == 50 ? 0 : 1;
}
