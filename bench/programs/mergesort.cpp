// Merge sort with async and finish: a task sorts the left half while its parent sorts the right one.
#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "measured.hpp"
#include "verification.hpp"

namespace ao = anyorder;

namespace {

// Up to so many numbers are sorted without a task.
constexpr std::size_t kSmall = 64;

void merge(const int* left, const int* middle, const int* end, int* to) {
  const int* right = middle;
  const int* const left_end = middle;
  while (left != left_end && right != end) *to++ = *right < *left ? *right++ : *left++;
  to = std::copy(left, left_end, to);
  std::copy(right, end, to);
}

void insertion_sort(int* begin, int* end) {
  for (int* next = begin; next != end; ++next) {
    const int value = *next;
    int* hole = next;
    for (; hole != begin && value < hole[-1]; --hole) *hole = hole[-1];
    *hole = value;
  }
}

// `spare` is room for as many numbers; nobody else uses it.
void merge_sort(int* numbers, int* spare, std::size_t count) {
  if (count <= kSmall) return insertion_sort(numbers, numbers + count);
  const std::size_t half = count / 2;
  ao::finish([&] {
    ao::async([=] { merge_sort(numbers, spare, half); });
    merge_sort(numbers + half, spare + half, count - half);
  });
  merge(numbers, numbers + half, numbers + count, spare);
  std::copy(spare, spare + count, numbers);
}

std::vector<int> random_numbers(std::size_t count) {
  std::mt19937 random(1);
  std::vector<int> numbers(count);
  for (int& number : numbers) number = static_cast<int>(random() % 1'000'000);
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, {"numbers to sort", 1, 1L << 28});
  const auto count = static_cast<std::size_t>(size);
  std::vector<int> numbers = random_numbers(count);
  std::vector<int> spare(count);
  std::vector<int> expected = numbers;
  std::sort(expected.begin(), expected.end());
  return bench::measure(
      "mergesort", size, [&] { merge_sort(numbers.data(), spare.data(), count); },
      [&] { return bench::same(numbers, expected); });
}
