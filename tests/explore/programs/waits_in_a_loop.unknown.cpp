// One task asks for a flag until another has set it: there is no end to the orders in which it asks first.
// OPTIONS: --max-orders 50
// SAYS: The bound of 50 orders was reached
// SAYS: the last order: anyorder replay
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  bool flag = false;
  ao::finish([&] {
    ao::async([&] {
      for (bool seen = false; !seen;) ao::isolated([&] { seen = flag; });
    });
    ao::async([&] { ao::isolated([&] { flag = true; }); });
  });
}
