// One task looks a key up while the other inserts one, which makes the table larger.
#include <unordered_map>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

bool found = false;

int main() {
  std::unordered_map<int, int> numbers;
  for (int i = 0; i < 13; ++i) numbers[i] = i;
  ao::finish([&] {
    ao::async([&] { found = numbers.count(3) != 0; });  // RACE(a): read
    ao::async([&] { numbers.emplace(100, 9); });        // RACE(a): write
  });
}
