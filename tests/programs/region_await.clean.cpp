// await waits for all that was posted; handlers run in the parent, in the order of the posts.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int parts[4];
int sum = 0;

int main() {
  ao::region r;
  for (int i = 0; i != 4; ++i) {
    r.post(
        [i] {
          parts[i] = i + 1;
          return i;
        },
        [](int part) { sum = 2 * sum + parts[part]; });
  }
  r.await();
  return sum == 26 && parts[3] == 4 ? 0 : 1;
}
