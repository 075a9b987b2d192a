// Two tasks hold a result; the one that lets go last is not ordered behind what the other did besides.
#include <utility>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    auto made = ao::async_future([] { return std::vector<int>(100); });
    ao::async([made] { x = static_cast<int>(made.get().size()); });  // RACE(a): write
    ao::async([mine = std::move(made)]() mutable {
      mine.get();
      mine = {};
      x = 2;  // RACE(a): write
    });
  });
}
