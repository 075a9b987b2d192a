// A finish joins the task that drops a reference and one beside it that uses the object by a plain pointer:
// the drop does not follow the use, so neither does the destruction by a task outside.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

void drop(std::shared_ptr<int>& reference) { reference.reset(); }  // RACE(a): write

int main() {
  ao::finish([] {
    auto shared = std::make_shared<int>(7);
    ao::async([shared]() mutable {
      ao::finish([&] {
        ao::async([plain = shared.get()] { seen = *plain; });  // RACE(a): read
        ao::async([mine = std::move(shared)]() mutable { drop(mine); });
      });
    });
    ao::async([last = std::move(shared)]() mutable { drop(last); });
  });
  return seen == 7 ? 0 : 1;
}
