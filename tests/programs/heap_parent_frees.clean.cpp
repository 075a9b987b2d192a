// Tasks use a block that the parent frees behind their join.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int sum = 0;

int main() {
  int* const block = new int[4]{1, 2, 3, 4};
  ao::finish([&] {
    ao::async([&] { block[0] += block[1]; });
    ao::async([&] { block[2] += block[3]; });
  });
  sum = block[0] + block[2];
  delete[] block;
  return sum == 10 ? 0 : 1;
}
