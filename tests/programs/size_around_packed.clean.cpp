// The neighbours of an unaligned member, to the byte.
#include <cstdint>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct __attribute__((packed)) Packed {
  std::uint8_t before[5];
  std::uint64_t across;
  std::uint8_t after[3];
};

alignas(16) Packed memory{};

int main() {
  ao::finish([] {
    ao::async([] { memory.across = 1; });
    ao::async([] { memory.before[4] = 2; });
    ao::async([] { memory.after[0] = 3; });
  });
  return memory.across + memory.before[4] + memory.after[0] == 6 ? 0 : 1;
}
