// Recursion by futures, with a counter that all calls share.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int calls = 0;

int fib(int n) {
  ++calls;  // RACE(a): update update
  if (n < 2) return n;
  const auto left = ao::async_future([n] { return fib(n - 1); });
  const int right = fib(n - 2);
  return left.get() + right;
}

int main() {
  const int result = ao::finish([] { return fib(6); });
  return result == 8 ? 0 : 1;
}
