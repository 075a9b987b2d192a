// What a program says about its executor does not matter, and is no error.
// SAYS: 6 orders of isolated sections, 8 states
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  ao::configure({.workers = 2});
  int counter = 0;
  ao::forall(0, 3, [&](int) { ao::isolated([&] { ++counter; }); });
  ao::configure({.run = ao::executor::serial});
  return counter == 3 ? 0 : 1;
}
