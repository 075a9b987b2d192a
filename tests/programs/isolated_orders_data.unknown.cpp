// Whether x is written before it is read depends on which section comes first.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
bool written = false;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      x = 1;
      ao::isolated([] { written = true; });
    });
    ao::async([] {
      const bool may_read = ao::isolated([] { return written; });
      if (may_read) seen = x;  // UNKNOWN: explore
    });
  });
}
