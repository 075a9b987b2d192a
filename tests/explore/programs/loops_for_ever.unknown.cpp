// In one order a task does not end, without another section.
// OPTIONS: --max-run-seconds 1
// SAYS: The bound of 1 seconds in one run was reached
// SAYS: the last order: anyorder replay 1
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int first = 0;
  ao::forall(1, 3, [&](int i) {
    ao::isolated([&] {
      if (first == 0) first = i;
    });
    if (i == 1) {
      int seen = 0;
      ao::isolated([&] { seen = first; });
      for (volatile int spin = seen; spin == 2;) {
      }
    }
  });
}
