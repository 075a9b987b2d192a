// Sections on one object exclude each other.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Account {
  int balance = 100;
};

Account a;

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated(&a, [] { a.balance -= 10; }); });
    ao::async([] { ao::isolated(&a, [] { a.balance += 20; }); });
  });
  return a.balance == 110 ? 0 : 1;
}
