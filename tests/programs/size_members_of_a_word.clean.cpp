// Members of one, two and four bytes in one word, each with its own task.
#include <cstdint>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Mixed {
  std::uint8_t one;
  std::uint8_t other;
  std::uint16_t two;
  std::uint32_t four;
};
static_assert(sizeof(Mixed) == 8);

Mixed mixed{};

int main() {
  ao::finish([] {
    ao::async([] { mixed.one = 1; });
    ao::async([] { mixed.other = 2; });
    ao::async([] { mixed.two = 3; });
    ao::async([] { mixed.four = 4; });
  });
  return mixed.one + mixed.other + mixed.two == 6 && mixed.four == 4 ? 0 : 1;
}
