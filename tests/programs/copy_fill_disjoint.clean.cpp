// std::copy and std::fill on ranges that touch.
#include <algorithm>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<int> data(90, 1);
  const std::vector<int> source(30, 2);
  ao::finish([&] {
    ao::async([&] { std::fill(data.begin(), data.begin() + 30, 3); });
    ao::async([&] { std::copy(source.begin(), source.end(), data.begin() + 30); });
    ao::async([&] { std::copy(source.begin(), source.end(), data.begin() + 60); });
  });
  int sum = 0;
  for (const int d : data) sum += d;
  return sum == 210 ? 0 : 1;
}
