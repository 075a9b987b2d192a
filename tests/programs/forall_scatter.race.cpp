// Where an index writes depends on data: here two go to one place.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int place[8] = {3, 1, 4, 0, 5, 7, 2, 4};
int out[8];

int main() {
  ao::forall(0, 8, [](int i) { out[place[i]] = i; });  // RACE(a): write write
}
