// Two unaligned stores of four bytes side by side.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

alignas(8) unsigned char memory[16];

void put(unsigned char* where, int value) { std::memcpy(where, &value, sizeof value); }

int main() {
  ao::finish([] {
    ao::async([] { put(memory + 1, 1); });
    ao::async([] { put(memory + 5, 2); });
  });
  return memory[1] == 1 && memory[5] == 2 ? 0 : 1;
}
