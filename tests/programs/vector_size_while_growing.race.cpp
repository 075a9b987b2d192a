// There is room for the new element, but its size is shared.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::size_t seen = 0;

int main() {
  std::vector<int> data;
  data.reserve(4);
  ao::finish([&] {
    ao::async([&] { seen = data.size(); });  // RACE(a): read
    ao::async([&] { data.push_back(2); });   // RACE(a): write
  });
}
