// Each cell waits for the cell above only, and reads the one to the left, too.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

constexpr int kSide = 3;
int cell[kSide][kSide];

int main() {
  ao::finish([] {
    ao::future<void> done[kSide][kSide];
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        const auto above = i > 0 ? done[i - 1][j] : ao::future<void>();
        done[i][j] = ao::async_future([i, j, above] {
          if (i > 0) above.get();
          const int left = j > 0 ? cell[i][j - 1] : 0;  // RACE(a): read
          const int up = i > 0 ? cell[i - 1][j] : 1;
          cell[i][j] = up + left;  // RACE(a): write
        });
      }
    }
  });
}
