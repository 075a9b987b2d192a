// Two unaligned stores of four bytes that share two.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

alignas(8) unsigned char memory[16];

void put(unsigned char* where, int value) {
  std::memcpy(where, &value, sizeof value);  // RACE(a): write write
}

int main() {
  ao::finish([] {
    ao::async([] { put(memory + 1, 1); });
    ao::async([] { put(memory + 3, 2); });
  });
}
