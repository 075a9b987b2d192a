// Where an index writes depends on data: here all places differ.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int place[8] = {3, 1, 4, 0, 5, 7, 2, 6};
int out[8];

int main() {
  ao::forall(0, 8, [](int i) { out[place[i]] = i; });
  return out[7] == 5 ? 0 : 1;
}
