// Uses by plain pointers that are joined before a reference is dropped, by the task that drops it or by one
// that creates it: the destruction by a task outside comes after them.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen[3];

int main() {
  ao::finish([] {
    auto shared = std::make_shared<int>(7);
    ao::async([shared]() mutable {
      ao::finish([&] {
        ao::finish([&] { ao::async([plain = shared.get()] { seen[0] = *plain; }); });
        ao::async([mine = std::move(shared)]() mutable {
          ao::finish([&] {
            ao::async([plain = mine.get()] {
              ao::async([plain] { seen[1] = *plain; });
              seen[2] = *plain;
            });
          });
          mine.reset();
        });
      });
    });
    ao::async([last = std::move(shared)]() mutable { last.reset(); });
  });
  return seen[0] + seen[1] + seen[2] == 21 ? 0 : 1;
}
