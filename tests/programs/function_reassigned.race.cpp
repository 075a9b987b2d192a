// One task calls the function that the other replaces.
#include <functional>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::function<int()> action;
int seen = 0;

int one() { return 1; }
int two() { return 2; }

int main() {
  action = one;
  ao::finish([] {
    ao::async([] { seen = action(); });  // RACE(a): read
    ao::async([] { action = two; });     // RACE(a): write
  });
}
