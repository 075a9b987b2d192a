// The value of a finish, computed before and read after the join.
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  const std::string word = ao::finish([] {
    ao::async([] { x = 4; });
    return std::string("joined");
  });
  return x == 4 && word == "joined" ? 0 : 1;
}
