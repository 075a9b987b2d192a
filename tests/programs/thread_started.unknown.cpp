// What a thread that the program starts by itself does is not judged.
#include <thread>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int y = 0;

int main() {
  ao::finish([] {
    ao::async([] { x = 1; });
    ao::async([] { y = 1; });
  });
  std::thread other([] { x += y; });  // UNKNOWN: thread
  other.join();
  return x == 2 ? 0 : 1;
}
