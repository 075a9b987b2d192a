// Each index writes its own element.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[64];

int main() {
  ao::forall(0, 64, [](int i) { a[i] = i; });
  int sum = 0;
  for (const int v : a) sum += v;
  return sum == 2016 ? 0 : 1;
}
