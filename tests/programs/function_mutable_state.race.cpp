// One std::function whose target counts its calls.
#include <functional>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  const std::function<int()> counter = [n = 0]() mutable { return ++n; };  // RACE(a): update update
  ao::finish([&] {
    ao::async([&] { counter(); });
    ao::async([&] { counter(); });
  });
}
