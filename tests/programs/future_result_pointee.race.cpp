// The result is a pointer, which both may read; what it points to is shared by the two.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  ao::finish([] {
    const auto made = ao::async_future([] { return std::make_shared<int>(0); });
    ao::async([made] { *made.get() = 1; });  // RACE(a): write
    ao::async([made] { *made.get() = 2; });  // RACE(a): write
  });
}
