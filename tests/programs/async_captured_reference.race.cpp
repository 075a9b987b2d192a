// The same by reference: the tasks read the variable that the parent goes on to change.
#include <array>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::array<int, 4> results{};

int main() {
  int n = 10;
  ao::finish([&] {
    ao::async([&] { results[0] = n; });  // RACE(a): read
    n = 11;                              // RACE(a): write
  });
}
