// Each cell waits for the cells above and to the left.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

constexpr int kSide = 5;
int cell[kSide][kSide];

int main() {
  ao::finish([] {
    ao::future<void> done[kSide][kSide];
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        const auto above = i > 0 ? done[i - 1][j] : ao::future<void>();
        const auto left = j > 0 ? done[i][j - 1] : ao::future<void>();
        done[i][j] = ao::async_future([i, j, above, left] {
          if (i > 0) above.get();
          if (j > 0) left.get();
          cell[i][j] = (i > 0 ? cell[i - 1][j] : 1) + (j > 0 ? cell[i][j - 1] : 0);
        });
      }
    }
  });
  return cell[4][4] == 126 ? 0 : 1;
}
