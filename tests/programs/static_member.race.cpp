// A static data member that objects of different tasks change.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Session {
  static int opened;
  Session() { ++opened; }  // RACE(a): update update
};
int Session::opened = 0;

int main() {
  ao::forall(0, 2, [](int) { const Session session; });
}
