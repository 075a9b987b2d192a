// Fibonacci numbers, the two ways to split work in two and wait for both halves: with asyncs that write
// their results into variables of the parent, and with futures that carry their results themselves.
//
// Nobody should compute Fibonacci numbers like this. The tasks do next to nothing, so what one sees is
// what a task costs; a real program would stop splitting when the pieces get small (see quicksort.cpp).
#include <cstdint>
#include <iostream>

#include <anyorder/anyorder.hpp>

#include "size_argument.hpp"

namespace ao = anyorder;

namespace {

// The child writes `left`, the parent reads it. What makes that safe is the end of the finish: there the
// child has ended, whatever the schedule. Read `left` inside the finish, and it is a race.
std::uint64_t fib_with_asyncs(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  ao::finish([&] {
    ao::async([&left, n] { left = fib_with_asyncs(n - 1); });
    right = fib_with_asyncs(n - 2);
  });
  return left + right;
}

// No variable is shared: `get` waits for the child and hands over what it returned.
std::uint64_t fib_with_futures(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  const ao::future<std::uint64_t> left = ao::async_future([n] { return fib_with_futures(n - 1); });
  const std::uint64_t right = fib_with_futures(n - 2);
  return left.get() + right;
}

std::uint64_t fib_in_a_loop(int n) {
  std::uint64_t current = 0;
  std::uint64_t next = 1;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = size_argument(
      argc, argv, {"Computes a Fibonacci number with asyncs and again with futures.", "n", 20, 0, 40});

  const std::uint64_t with_asyncs = fib_with_asyncs(n);
  const std::uint64_t with_futures = fib_with_futures(n);
  std::cout << "fib(" << n << ") = " << with_asyncs << " with asyncs, " << with_futures << " with futures\n";

  if (with_asyncs != fib_in_a_loop(n) || with_futures != fib_in_a_loop(n)) {
    std::cerr << "wrong: a loop gives " << fib_in_a_loop(n) << '\n';
    return 1;
  }
  return 0;
}
