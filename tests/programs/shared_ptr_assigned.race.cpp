// The counts are safe, the pointer variable itself is not.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::shared_ptr<int> shared;

int main() {
  shared = std::make_shared<int>(0);
  ao::finish([] {
    ao::async([] { shared = std::make_shared<int>(1); });  // RACE(a): update
    ao::async([] { shared = std::make_shared<int>(2); });  // RACE(a): update
  });
}
