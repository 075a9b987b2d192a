// What the sections do depends on the time.
// SAYS: did something else when it was run again
#include <chrono>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  long long sum = 0;
  ao::forall(0, 3, [&](int) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    ao::isolated([&] { sum += now; });
  });
}
