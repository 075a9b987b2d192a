// The enclosing finish joins the tasks of a forasync.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int a[8];

int main() {
  ao::finish([] { ao::forasync(0, 8, [](int i) { a[i] = i; }); });
  a[7] += a[6];
  return a[7] == 13 ? 0 : 1;
}
