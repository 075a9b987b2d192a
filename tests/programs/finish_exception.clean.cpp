// A task throws; the finish joins the others all the same, and main catches behind the join.
#include <stdexcept>
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;

int main() {
  std::string caught;
  try {
    ao::finish([] {
      ao::async([] { x = 1; });
      ao::async([] { throw std::runtime_error("from a task"); });
      ao::async([] { y = 1; });
    });
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  x += y;
  return x == 2 && caught == "from a task" ? 0 : 1;
}
