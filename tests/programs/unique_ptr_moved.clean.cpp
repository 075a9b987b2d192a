// An object moves into a task, which changes and frees it, and out of another as its result.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;
int returned = 0;

int main() {
  ao::finish([] {
    auto mine = std::make_unique<int>(1);
    ao::async([moved = std::move(mine)] {
      *moved += 1;
      seen = *moved;
    });
    const auto made = ao::async_future([] { return std::make_unique<int>(5); });
    returned = *made.get();
  });
  return seen == 2 && returned == 5 ? 0 : 1;
}
