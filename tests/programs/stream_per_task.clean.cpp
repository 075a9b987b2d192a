// Each task formats with a stream of its own.
#include <sstream>
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  std::string lines[5];
  ao::forall(0, 5, [&](int i) {
    std::ostringstream out;
    out << "line " << i << ": " << 0.5 * i << std::boolalpha << ' ' << (i % 2 == 0);
    lines[i] = out.str();
  });
  return lines[4] == "line 4: 2 true" ? 0 : 1;
}
