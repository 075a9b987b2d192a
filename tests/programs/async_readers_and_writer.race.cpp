// Of several readers each races with the one writer.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen_first = 0;
int seen_second = 0;

int main() {
  ao::finish([] {
    ao::async([] { seen_first = x; });   // RACE(a): read
    ao::async([] { seen_second = x; });  // RACE(b): read
    ao::async([] { x = 1; });            // RACE(a): write RACE(b): write
  });
}
