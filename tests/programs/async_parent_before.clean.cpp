// What the parent does before it creates a task precedes the task; constructors count as the parent's work.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Table {
  explicit Table(int size) : cells(static_cast<std::size_t>(size)) {
    for (int i = 0; i < size; ++i) cells[static_cast<std::size_t>(i)] = i;
  }
  std::vector<int> cells;
};

int x = 0;
int seen = 0;
int sum = 0;

int main() {
  x = 7;
  ao::finish([] {
    const Table table(10);
    ao::finish([&] {
      ao::async([&] { seen = x; });
      ao::async([&] { sum = table.cells[3] + table.cells[4]; });
    });
  });
  return seen == 7 && sum == 7 ? 0 : 1;
}
