// A race on a local of main, in every order.
// SAYS: race on sum .int., a local of main
#include <cstdio>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int sum = 0;
  ao::forall(0, 2, [&](int i) {
    ao::isolated([] {});
    sum += i;
  });
  std::printf("%d\n", sum);
}
