// Who drops the last reference may free the object, but is not ordered behind what the others did besides.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    auto shared = std::make_shared<int>(1);
    ao::async([shared] { x = *shared; });  // RACE(a): write
    ao::async([mine = std::move(shared)]() mutable {
      mine.reset();
      x = 2;  // RACE(a): write
    });
  });
}
