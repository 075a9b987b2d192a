// Three stages over a row of items; a stage waits for the one before it, and for its own last item.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

constexpr int kItems = 6;
int item[kItems];
int state[3];

int main() {
  ao::finish([] {
    std::vector<ao::future<void>> before(kItems);
    for (int stage = 0; stage < 3; ++stage) {
      std::vector<ao::future<void>> now(kItems);
      ao::future<void> last;
      for (int i = 0; i < kItems; ++i) {
        const auto up = before[static_cast<std::size_t>(i)];
        last = ao::async_future([stage, i, up, last] {
          if (up.valid()) up.get();
          if (last.valid()) last.get();
          state[stage] += i;
          item[i] += state[stage];
        });
        now[static_cast<std::size_t>(i)] = last;
      }
      before = now;
    }
  });
  return item[5] == 45 ? 0 : 1;
}
