// Lookups in maps that nobody changes.
#include <map>
#include <string>
#include <unordered_map>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[4];

int main() {
  std::map<std::string, int> ordered{{"one", 1}, {"two", 2}, {"three", 3}};
  std::unordered_map<int, std::string> hashed{{0, "one"}, {1, "two"}, {2, "three"}, {3, "none"}};
  ao::forall(0, 4, [&](int i) {
    const auto found = ordered.find(hashed.at(i));
    out[i] = found == ordered.end() ? -1 : found->second;
  });
  return out[2] == 3 && out[3] == -1 ? 0 : 1;
}
