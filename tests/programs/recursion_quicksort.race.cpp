// Quicksort after one partition, with sides that both take the middle element along.
#include <algorithm>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int data[8] = {3, 1, 2, 9, 4, 7, 5, 6};

int main() {
  ao::finish([] {
    ao::async([] { std::sort(data, data + 4); });      // RACE(a): update
    ao::async([] { std::sort(data + 3, data + 8); });  // RACE(a): update
  });
}
