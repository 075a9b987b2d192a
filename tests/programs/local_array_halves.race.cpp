// Halves that share an element.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::array<int, 100> data{};
  const auto fill = [&data](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) data[i] = 1;  // RACE(a): write write
  };
  ao::finish([&] {
    ao::async([&] { fill(0, 51); });
    ao::async([&] { fill(50, 100); });
  });
}
