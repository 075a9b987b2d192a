// Quicksort: one finish around the whole sort, and inside it a tree of asyncs that nobody waits for one
// by one. A task hands the left part of its range to a child and goes on with the right part itself. The
// children outlive the tasks that made them; the one finish at the top joins them all.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "size_argument.hpp"

namespace ao = anyorder;

namespace {

// Below this many numbers a task costs more than it brings.
constexpr std::size_t kSmall = 512;

int median_of_three(std::span<const int> range) {
  const int a = range.front();
  const int b = range[range.size() / 2];
  const int c = range.back();
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// Into what is less than the pivot and what is greater. What equals it stays between the two, which is
// why both parts are smaller than the range, even if all its numbers are equal.
std::pair<std::span<int>, std::span<int>> partition(std::span<int> range) {
  const int pivot = median_of_three(range);
  const auto middle = std::partition(range.begin(), range.end(), [pivot](int x) { return x < pivot; });
  const auto right = std::partition(middle, range.end(), [pivot](int x) { return x == pivot; });
  return {{range.begin(), middle}, {right, range.end()}};
}

// The parts do not overlap: no two tasks ever touch the same number unless one made the other after it
// was done with it.
void sort_in_tasks(std::span<int> range) {
  while (range.size() > kSmall) {
    const auto [left, right] = partition(range);
    ao::async([part = left] { sort_in_tasks(part); });
    range = right;
  }
  std::sort(range.begin(), range.end());
}

std::vector<int> random_numbers(std::size_t count) {
  std::mt19937 random(2016);
  std::vector<int> numbers(count);
  for (int& number : numbers) number = static_cast<int>(random() % 1'000'000);
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  const auto count = static_cast<std::size_t>(size_argument(
      argc, argv, {"Sorts random numbers with a tree of tasks.", "numbers", 200'000, 1, 100'000'000}));

  std::vector<int> numbers = random_numbers(count);
  std::vector<int> expected = numbers;

  ao::finish([&] { sort_in_tasks(numbers); });
  std::cout << count << " numbers sorted: the least is " << numbers.front() << ", the median "
            << numbers[count / 2] << ", the greatest " << numbers.back() << '\n';

  std::sort(expected.begin(), expected.end());
  if (numbers != expected) {
    std::cerr << "wrong: std::sort gives another order\n";
    return 1;
  }
  return 0;
}
