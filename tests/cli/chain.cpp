// A chain of futures of which main gets the last, and then reads what all of them wrote.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  constexpr int kLength = 100;
  std::vector<long> cells(kLength);
  std::vector<ao::future<void>> tasks;
  for (int i = 0; i < kLength; ++i) {
    const ao::future<void> before = i == 0 ? ao::future<void>{} : tasks.back();
    tasks.push_back(ao::async_future([&cells, before, i] {
      if (before.valid()) before.get();
      cells[static_cast<std::size_t>(i)] = i;
    }));
  }
  tasks.back().get();
  long sum = 0;
  for (const long cell : cells) sum += cell;
  return sum == kLength * (kLength - 1) / 2 ? 0 : 1;
}
