// Recursion by futures.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int fib(int n) {
  if (n < 2) return n;
  const auto left = ao::async_future([n] { return fib(n - 1); });
  const int right = fib(n - 2);
  return left.get() + right;
}

int main() {
  const int result = ao::finish([] { return fib(10); });
  return result == 55 ? 0 : 1;
}
