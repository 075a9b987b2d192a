// Quicksort: the two sides of the pivot are sorted in parallel.
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int data[60];

void sort(int low, int high) {  // [low, high)
  if (high - low < 2) return;
  const int pivot = data[high - 1];
  int middle = low;
  for (int i = low; i < high - 1; ++i) {
    if (data[i] < pivot) std::swap(data[i], data[middle++]);
  }
  std::swap(data[middle], data[high - 1]);
  ao::async([low, middle] { sort(low, middle); });
  ao::async([middle, high] { sort(middle + 1, high); });
}

int main() {
  for (int i = 0; i < 60; ++i) data[i] = (i * 37) % 61;
  ao::finish([] { sort(0, 60); });
  for (int i = 1; i < 60; ++i) {
    if (data[i - 1] > data[i]) return 1;
  }
}
