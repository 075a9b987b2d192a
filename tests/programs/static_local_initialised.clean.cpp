// A static local that several tasks reach first: the language initialises it once, before any of them goes
// on.
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

const std::vector<std::string>& words() {
  static const std::vector<std::string> all{"some", "words that are made by whoever comes first",
                                            "only once"};
  return all;
}

std::size_t length[4];

int main() {
  ao::forall(0, 4, [](int i) { length[i] = words()[1].size(); });
  return length[0] == 42 && length[3] == 42 ? 0 : 1;
}
