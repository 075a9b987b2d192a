// One task asks for the size while the other inserts.
#include <map>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::size_t size = 0;

int main() {
  std::map<int, int> numbers{{1, 1}, {2, 4}};
  ao::finish([&] {
    ao::async([&] { size = numbers.size(); });  // RACE(a): read
    ao::async([&] { numbers.emplace(3, 9); });  // RACE(a): write
  });
}
