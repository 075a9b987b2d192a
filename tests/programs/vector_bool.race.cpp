// Neighbours in a vector<bool> share a word.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::vector<bool> bits(64);
  ao::finish([&] {
    ao::async([&] { bits[3] = true; });  // RACE(a): update
    ao::async([&] { bits[4] = true; });  // RACE(a): update
  });
}
