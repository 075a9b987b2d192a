// Regular expressions fill caches inside the C++ library, which are its own business.
#include <regex>
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

bool found[4];

int main() {
  ao::forall(0, 4, [](int i) {
    const std::regex pattern("([a-z]+)[.]([0-9]+)");
    found[i] = std::regex_search("file." + std::to_string(i), pattern);
  });
  return found[0] && found[1] && found[2] && found[3] ? 0 : 1;
}
