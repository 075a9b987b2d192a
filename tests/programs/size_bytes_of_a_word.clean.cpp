// Eight tasks write the eight bytes of one word.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

alignas(8) unsigned char word[8];

int main() {
  ao::finish([] {
    for (unsigned i = 0; i < 8; ++i) ao::async([i] { word[i] = static_cast<unsigned char>(i); });
  });
  return word[7] == 7 ? 0 : 1;
}
