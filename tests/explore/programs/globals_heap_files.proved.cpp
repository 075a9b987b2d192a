// Each run finds globals, heap and files as the first one did, although every run changes them.
// SAYS: proved: no race and no deadlock on any schedule of this input
// SAYS: 18 orders of isolated sections, 16 states
#include <cstdio>
#include <memory>
#include <vector>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int counter = 0;                                             // is not set anew by main
const auto filled = std::make_unique<std::vector<int>>(10);  // by a constructor

int main() {
  ao::forall(0, 4, [](int i) {
    ao::isolated([i] {
      counter += 1;
      (*filled)[0] += i;
    });
  });
  std::FILE* const file = std::fopen("numbers.txt", "w");
  if (file == nullptr) return 1;
  std::fprintf(file, "%d %d\n", counter, (*filled)[0]);
  std::fclose(file);
  return counter == 4 && (*filled)[0] == 6 ? 0 : 1;
}
