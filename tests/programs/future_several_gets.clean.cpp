// Any number of gets, by any number of tasks; the result is read in parallel.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::array<int, 5> seen{};

int main() {
  ao::finish([] {
    const auto answer = ao::async_future([] { return 42; });
    for (std::size_t i = 0; i < seen.size(); ++i) {
      ao::async([answer, i] { seen[i] = answer.get() + answer.get(); });
    }
    answer.get();
  });
  for (const int s : seen) {
    if (s != 84) return 1;
  }
}
