// One task sorts what the other reads.
#include <algorithm>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  std::vector<int> data{5, 3, 9, 1, 7};
  ao::finish([&] {
    ao::async([&] { seen = data[2]; });                       // RACE(a): read
    ao::async([&] { std::sort(data.begin(), data.end()); });  // RACE(a): write
  });
}
