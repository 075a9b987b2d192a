// One task looks a key up while the other inserts one.
#include <map>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

bool found = false;

int main() {
  std::map<int, int> numbers{{1, 1}, {2, 4}};
  ao::finish([&] {
    ao::async([&] { found = numbers.count(3) != 0; });  // RACE(a): read
    ao::async([&] { numbers.emplace(3, 9); });          // RACE(a): write
  });
}
