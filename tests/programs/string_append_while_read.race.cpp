// One task reads a character while the other makes the string grow, which frees the old characters.
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char seen = 0;

int main() {
  std::string text(60, 'x');
  text.shrink_to_fit();
  const std::string more(500, 'y');
  ao::finish([&] {
    ao::async([&] { seen = text[10]; });    // RACE(a): read
    ao::async([&] { text.append(more); });  // RACE(a): write
  });
}
