// A Fibonacci number by two futures per call: nearly nothing but tasks and gets.
#include <utility>

#include "measured.hpp"

namespace ao = anyorder;

namespace {

long fib(long n) {
  if (n < 2) return n;
  const ao::future<long> first = ao::async_future([n] { return fib(n - 1); });
  const ao::future<long> second = ao::async_future([n] { return fib(n - 2); });
  return first.get() + second.get();
}

long fib_by_sums(long n) {
  long here = 0;
  long next = 1;
  for (long i = 0; i < n; ++i) here = std::exchange(next, here + next);
  return here;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, {"number's index", 0, 40});
  const long expected = fib_by_sums(n);
  long result = -1;
  return bench::measure(
      "fib", n, [&] { result = fib(n); }, [&] { return result == expected; });
}
