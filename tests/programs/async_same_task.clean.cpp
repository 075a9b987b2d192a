// A task is in order with itself: it may write, read and write again.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      x = 1;
      const int doubled = x * 2;
      x = doubled;
      x += 1;
    });
  });
  return x == 3 ? 0 : 1;
}
