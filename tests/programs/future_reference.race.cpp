// Two tasks get the same reference and write through it.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    const ao::future<int&> place = ao::async_future([]() -> int& { return x; });
    ao::async([place] { place.get() = 1; });  // RACE(a): write
    ao::async([place] { place.get() = 2; });  // RACE(a): write
  });
}
