// One task copies the variable that the other empties.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::shared_ptr<int> shared;
bool had = false;

int main() {
  shared = std::make_shared<int>(0);
  const std::shared_ptr<int> keeps_it = shared;
  ao::finish([] {
    ao::async([] { had = std::shared_ptr<int>(shared) != nullptr; });  // RACE(a): read
    ao::async([] { shared = nullptr; });                               // RACE(a): write
  });
}
