// weak_ptr: some tasks hold the object, others look whether it is still there.
#include <atomic>
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::atomic<int> sum{0};

int main() {
  ao::finish([] {
    auto owner = std::make_shared<int>(5);
    const std::weak_ptr<int> watcher = owner;
    for (int i = 0; i < 4; ++i) {
      ao::async([owner] { sum += *owner; });
      ao::async([watcher] {
        if (const auto held = watcher.lock()) sum += *held * 0;
      });
    }
    owner.reset();
  });
  return sum == 20 ? 0 : 1;
}
