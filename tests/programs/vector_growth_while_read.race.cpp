// One task reads an element while the other makes the vector grow, which moves it.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  std::vector<int> data(4, 1);
  data.shrink_to_fit();
  ao::finish([&] {
    ao::async([&] { seen = data[1]; });     // RACE(a): read
    ao::async([&] { data.push_back(2); });  // RACE(a): write
  });
}
