// Control flow depends on the number of the process.
// SAYS: did something else when it was run again
#include <unistd.h>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  long sum = 0;
  const long number = getpid();
  ao::forall(0, 3, [&](int) { ao::isolated([&] { sum += number; }); });
}
