// Transfers lock both accounts; any two that share an account exclude each other.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int account[3] = {10, 10, 10};

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated(&account[0], &account[1], [] { account[0] -= 1, account[1] += 1; }); });
    ao::async([] { ao::isolated(&account[1], &account[2], [] { account[1] -= 2, account[2] += 2; }); });
    ao::async([] { ao::isolated(&account[2], &account[0], [] { account[2] -= 3, account[0] += 3; }); });
  });
  return account[0] == 12 && account[1] == 9 && account[2] == 9 ? 0 : 1;
}
