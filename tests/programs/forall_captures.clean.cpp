// The body's captures are one copy that all indexes read.
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char out[20];

int main() {
  const std::string text = "any order of the indexes";
  const int shift = 2;
  ao::forall(0, 20, [text, shift](int i) { out[i] = text[static_cast<std::size_t>(i + shift)]; });
  return out[0] == 'y' && out[19] == 'x' ? 0 : 1;
}
