// A section without objects excludes those with objects.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a = 0;

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated(&a, [] { a += 1; }); });
    ao::async([] { ao::isolated([] { a += 2; }); });
  });
  return a == 3 ? 0 : 1;
}
