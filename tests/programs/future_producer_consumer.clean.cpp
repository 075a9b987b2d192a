// A list of cells, each made by a task that also hands on the handle of the next.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Cell {
  int value;
  ao::future<std::shared_ptr<Cell>> next;
};

using Link = ao::future<std::shared_ptr<Cell>>;

Link produce(int from, int to) {
  return ao::async_future([from, to]() -> std::shared_ptr<Cell> {
    if (from == to) return nullptr;
    return std::make_shared<Cell>(Cell{from, produce(from + 1, to)});
  });
}

int sum = 0;

int main() {
  ao::finish([] {
    const Link head = produce(1, 11);
    ao::async([head] {
      std::shared_ptr<Cell> cell = head.get();
      while (cell != nullptr) {
        sum += cell->value;
        const Link next = cell->next;
        cell = next.get();
      }
    });
  });
  return sum == 55 ? 0 : 1;
}
