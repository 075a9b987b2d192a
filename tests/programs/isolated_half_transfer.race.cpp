// A transfer that names one of its two accounts only.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int account[2] = {10, 10};

int main() {
  ao::finish([] {
    ao::async([] {
      ao::isolated(&account[0], [] {
        account[0] -= 1;
        account[1] += 1;  // RACE(a): update
      });
    });
    ao::async([] {
      ao::isolated(&account[1], [] { account[1] -= 2; });  // RACE(a): update
    });
  });
}
