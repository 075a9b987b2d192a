// Two tasks work on the halves of main's array.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::array<int, 100> data{};
  const auto fill = [&data](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) data[i] = 1;
  };
  ao::finish([&] {
    ao::async([&] { fill(0, 50); });
    ao::async([&] { fill(50, 100); });
  });
  int sum = 0;
  for (const int d : data) sum += d;
  return sum == 100 ? 0 : 1;
}
