// A part is read through its whole, the whole goes with its last owner, and the part with one that had only
// the part.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Whole {
  std::shared_ptr<int> part;
};
int sum = 0;

int main() {
  ao::finish([] {
    auto part = std::make_shared<int>(5);
    auto whole = std::make_shared<Whole>(Whole{part});
    ao::async([whole] { sum += *whole->part; });
    ao::async([whole = std::move(whole)] {});
    ao::async([part = std::move(part)] {});
  });
  return sum == 5 ? 0 : 1;
}
