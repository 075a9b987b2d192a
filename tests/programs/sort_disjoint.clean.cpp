// std::sort on the halves of one vector.
#include <algorithm>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<int> data(200);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>((i * 37) % 100);
  ao::finish([&] {
    ao::async([&] { std::sort(data.begin(), data.begin() + 100); });
    ao::async([&] { std::sort(data.begin() + 100, data.end()); });
  });
  return data[0] == 0 && data[99] == 99 && data[100] == 0 ? 0 : 1;
}
