// One std::function, called by many tasks; its target only reads its captures.
#include <functional>
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[5];

int main() {
  const std::string prefix = "a long prefix that the target holds on the heap";
  const std::function<int(int)> measure = [prefix](int i) { return static_cast<int>(prefix.size()) + i; };
  ao::finish([&] {
    for (int i = 0; i < 5; ++i) {
      ao::async([&, i] { out[i] = measure(i); });
    }
    ao::async([copy = measure] { static_cast<void>(copy(1)); });
  });
  return out[4] == 51 ? 0 : 1;
}
