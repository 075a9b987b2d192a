// A load of four bytes over a store of its last one.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

union Four {
  int all;
  unsigned char byte[4];
};

Four four{};
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] { seen = four.all; });   // RACE(a): read
    ao::async([] { four.byte[3] = 1; });  // RACE(a): write
  });
}
