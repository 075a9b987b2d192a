// A user's program: two tasks, and the version that the package was installed with.
#include <cstdio>

#include <anyorder/anyorder.hpp>
#include <anyorder/version.hpp>

static_assert(ANYORDER_VERSION_MAJOR == 0);

namespace ao = anyorder;

int main() {
  int left = 0;
  int right = 0;
  ao::finish([&] {
    ao::async([&] { left = 40; });
    ao::async([&] { right = 2; });
  });
  std::printf("%d\n", left + right);
}
