// One task reads, another one lets go of the object last, and a third one, which only watches, frees the
// block.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int sum = 0;

int main() {
  ao::finish([] {
    auto owner = std::make_shared<int>(5);
    std::weak_ptr<int> watcher = owner;
    ao::async([owner] { sum += *owner; });
    ao::async([owner = std::move(owner)] {});
    ao::async([watcher = std::move(watcher)] {});
  });
  return sum == 5 ? 0 : 1;
}
