// The counts are safe, the object is not.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  const auto shared = std::make_shared<int>(0);
  ao::finish([&] {
    ao::async([shared] { *shared = 1; });  // RACE(a): write
    ao::async([shared] { *shared = 2; });  // RACE(a): write
  });
}
