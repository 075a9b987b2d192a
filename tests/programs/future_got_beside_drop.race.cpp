// A task gets the future that uses a shared object, and one beside it drops a reference: a finish joins both,
// but the drop does not follow the use.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;
bool got = false;

void drop(std::shared_ptr<int>& reference) { reference.reset(); }  // RACE(a): write

int main() {
  ao::finish([] {
    auto shared = std::make_shared<int>(7);
    const auto use = ao::async_future([plain = shared.get()] { seen = *plain; });  // RACE(a): read
    ao::async([shared, use]() mutable {
      ao::finish([&] {
        ao::async([use] {
          use.get();
          got = true;
        });
        ao::async([mine = std::move(shared)]() mutable { drop(mine); });
      });
    });
    ao::async([last = std::move(shared)]() mutable { drop(last); });
  });
  return seen == 7 && got ? 0 : 1;
}
