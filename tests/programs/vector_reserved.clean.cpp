// There is room for the new element, and the other task looks at an old one only.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  std::vector<int> data{1, 2};
  data.reserve(4);
  const int* const first = data.data();
  ao::finish([&] {
    ao::async([&] { seen = first[0]; });
    ao::async([&] { data.push_back(2); });
  });
  return seen == 1 && data.size() == 3 ? 0 : 1;
}
