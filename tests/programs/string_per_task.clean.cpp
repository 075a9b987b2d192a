// Strings that are copied, changed and thrown away by each task, from one that all read.
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::size_t length[6];

int main() {
  const std::string shared = "a text that is too long for the small buffer of a string";
  ao::forall(0, 6, [&](int i) {
    std::string mine = shared;
    mine += std::to_string(i);
    mine.append(static_cast<std::size_t>(i), '!');
    length[i] = mine.size() + shared.find("small");
  });
  return length[5] == length[0] + 5 ? 0 : 1;
}
