// Merge sort by futures, from one buffer into the other.
#include <algorithm>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::vector<int> sorted(const std::vector<int>& values) {
  if (values.size() < 2) return values;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  const auto left =
      ao::async_future([&values, middle] { return sorted(std::vector<int>(values.begin(), middle)); });
  const std::vector<int> right = sorted(std::vector<int>(middle, values.end()));
  std::vector<int> all(values.size());
  std::merge(left.get().begin(), left.get().end(), right.begin(), right.end(), all.begin());
  return all;
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < 40; ++i) values.push_back((i * 17) % 41);
  const std::vector<int> result = ao::finish([&] { return sorted(values); });
  return std::is_sorted(result.begin(), result.end()) && result.size() == 40 ? 0 : 1;
}
