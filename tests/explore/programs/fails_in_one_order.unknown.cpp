// An exception that nobody takes, in one order.
// SAYS: In the last order, below, the program was ended by SIGABRT
// SAYS: the last order: anyorder replay 1
#include <stdexcept>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int first = 0;
  ao::forall(1, 3, [&](int i) {
    ao::isolated([&] {
      if (first == 0) first = i;
      if (first == 2) throw std::runtime_error("the second was first");
    });
  });
}
