// An eight-byte member that lies across two words, and the last byte of it.
#include <cstdint>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct __attribute__((packed)) Packed {
  std::uint8_t before[5];
  std::uint64_t across;
  std::uint8_t after[3];
};

union Overlay {
  Packed packed;
  std::uint8_t byte[16];
};

alignas(16) Overlay memory{};

int main() {
  ao::finish([] {
    ao::async([] { memory.packed.across = 1; });  // RACE(a): write
    ao::async([] { memory.byte[12] = 2; });       // RACE(a): write
  });
}
