// What the sections do depends on a random number.
// SAYS: did something else when it was run again
#include <random>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  std::random_device random;
  unsigned sum = 0;
  const unsigned begin = random();
  ao::forall(0, 3, [&](int i) { ao::isolated([&] { sum += begin + static_cast<unsigned>(i); }); });
}
