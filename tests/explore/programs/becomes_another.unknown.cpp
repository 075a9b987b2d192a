// Each run ends as another program, which tells nothing.
// SAYS: ended with exit code 0 and without a word: .*by another program that it became
#include <unistd.h>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int counter = 0;
  ao::forall(0, 2, [&](int) { ao::isolated([&] { ++counter; }); });
  return execl("/bin/true", "true", nullptr);
}
