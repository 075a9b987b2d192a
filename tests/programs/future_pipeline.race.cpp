// As the clean one, but a stage does not wait for its own last item, whose state it shares.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

constexpr int kItems = 3;
int item[kItems];
int state[2];

int main() {
  ao::finish([] {
    std::vector<ao::future<void>> before(kItems);
    for (int stage = 0; stage < 2; ++stage) {
      std::vector<ao::future<void>> now(kItems);
      for (int i = 0; i < kItems; ++i) {
        const auto up = before[static_cast<std::size_t>(i)];
        now[static_cast<std::size_t>(i)] = ao::async_future([stage, i, up] {
          if (up.valid()) up.get();
          state[stage] += i;  // RACE(a): update update
          item[i] += 1;
        });
      }
      before = now;
    }
  });
}
