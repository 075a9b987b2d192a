#include <cstdio>
#include <vector>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  std::vector<int> squares(100);
  long sum = 0;
  ao::finish([&] {
    auto filled = ao::async_future([&] { ao::forall(0, 100, [&](int i) { squares[i] = i * i; }); });
    ao::async([&] {
      for (int square : squares) sum += square;  // filled.get() is missing
    });
  });
  std::printf("%ld\n", sum);
}
