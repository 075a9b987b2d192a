// std::copy reads the last element that std::fill writes.
#include <algorithm>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<int> data(60, 1);
  std::vector<int> target(30);
  ao::finish([&] {
    ao::async([&] { std::copy(data.begin() + 29, data.begin() + 59, target.begin()); });  // RACE(a): read
    ao::async([&] { std::fill(data.begin(), data.begin() + 30, 3); });                    // RACE(a): write
  });
}
