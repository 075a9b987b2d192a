// The same programs give the same results in the parallel executor, whatever the number of workers, and in
// the serial one.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

namespace {

using Program = std::string (*)();

int fib_async(int n) {
  if (n < 2) return n;
  int x = 0;
  int y = 0;
  ao::finish([&] {
    ao::async([&] { x = fib_async(n - 1); });
    y = fib_async(n - 2);
  });
  return x + y;
}

int fib_future(int n) {
  if (n < 2) return n;
  const auto x = ao::async_future([n] { return fib_future(n - 1); });
  const int y = fib_future(n - 2);
  return x.get() + y;
}

std::string fibs() { return std::to_string(fib_async(18)) + " " + std::to_string(fib_future(18)); }

void sort(std::vector<int>::iterator begin, std::vector<int>::iterator end) {
  if (end - begin < 2) return;
  const auto middle = std::partition(begin + 1, end, [pivot = *begin](int x) { return x < pivot; });
  std::iter_swap(begin, middle - 1);
  ao::async([=] { sort(begin, middle - 1); });
  ao::async([=] { sort(middle, end); });
}

std::string escaping_asyncs() {
  std::vector<int> numbers(5000);
  std::mt19937 random(7);
  std::generate(numbers.begin(), numbers.end(), [&] { return static_cast<int>(random() % 1000); });
  ao::finish([&] { sort(numbers.begin(), numbers.end()); });
  return std::is_sorted(numbers.begin(), numbers.end())
             ? std::to_string(std::accumulate(numbers.begin(), numbers.end(), 0L))
             : "not sorted";
}

std::string table_of_futures() {
  constexpr std::size_t kSize = 40;
  return ao::finish([] {
    std::vector<std::vector<ao::future<unsigned>>> cells(kSize, std::vector<ao::future<unsigned>>(kSize));
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j < kSize; ++j) {
        const auto above = i == 0 ? ao::future<unsigned>() : cells[i - 1][j];
        const auto left = j == 0 ? ao::future<unsigned>() : cells[i][j - 1];
        cells[i][j] = ao::async_future(
            [=] { return 3 * (above.valid() ? above.get() : 1U) + 5 * (left.valid() ? left.get() : 1U); });
      }
    }
    return std::to_string(cells[kSize - 1][kSize - 1].get());
  });
}

std::string loops() {
  std::vector<long> sums(100);
  ao::forall(0, sums.size(), [&](std::size_t i) {
    std::vector<long> parts(50);
    ao::forall(-25, 25, [&](int j) { parts[static_cast<std::size_t>(j + 25)] = static_cast<long>(i) * j; });
    sums[i] = std::accumulate(parts.begin(), parts.end(), 0L);
  });
  return std::to_string(std::accumulate(sums.begin(), sums.end(), 0L));
}

std::string isolated_sum() {
  long global = 0;
  long first = 0;
  long second = 0;
  ao::forall(0, 2000, [&](int i) {
    ao::isolated([&] { global += i; });
    ao::isolated(&first, [&] { first += 2 * i; });
    ao::isolated(&first, &second, [&] {
      first += i;
      second -= i;
    });
  });
  return std::to_string(global) + " " + std::to_string(first) + " " + std::to_string(second);
}

std::string one_exception() {
  int ran = 0;
  try {
    ao::finish([&] {
      for (int i = 0; i < 100; ++i) {
        ao::async([&, i] {
          ao::isolated([&] { ++ran; });
          if (i == 42) throw std::runtime_error("task 42");
        });
      }
    });
  } catch (const std::runtime_error& error) {
    return error.what() + std::string(" of ") + std::to_string(ran);
  }
  return "no exception";
}

struct Named {
  const char* name;
  Program program;
};

class ExecutorsAgree : public testing::TestWithParam<Named> {
 protected:
  void TearDown() override { ao::configure({}); }
};

TEST_P(ExecutorsAgree, OnTheResult) {
  ao::configure({.run = ao::executor::serial});
  const std::string serial = GetParam().program();
  for (const unsigned workers : {1U, 2U, 8U}) {
    ao::configure({.run = ao::executor::parallel, .workers = workers});
    for (int again = 0; again < 5; ++again) EXPECT_EQ(GetParam().program(), serial) << workers << " workers";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ExecutorsAgree,
                         testing::Values(Named{"fibs", &fibs}, Named{"escaping_asyncs", &escaping_asyncs},
                                         Named{"table_of_futures", &table_of_futures}, Named{"loops", &loops},
                                         Named{"isolated_sum", &isolated_sum},
                                         Named{"one_exception", &one_exception}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
