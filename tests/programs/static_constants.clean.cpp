// Constants, tables and string literals, read by all.
#include <array>
#include <cstring>
#include <iterator>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

constexpr std::array<int, 4> kTable{2, 3, 5, 7};
const char* const kNames[] = {"two", "three", "five", "seven"};
std::size_t out[4];

int main() {
  ao::forall(std::size_t{0}, std::size(out),
             [](std::size_t i) { out[i] = static_cast<std::size_t>(kTable[i]) + std::strlen(kNames[i]); });
  return out[3] == 12 ? 0 : 1;
}
