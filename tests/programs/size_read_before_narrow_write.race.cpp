// Four bytes are read and then the first of them is written, beside a write of the last.
#include <cstdint>
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

alignas(8) std::uint8_t bytes[8] = {};
std::uint32_t value = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      std::uint32_t all = 0;
      std::memcpy(&all, bytes, sizeof all);  // RACE(a): read
      bytes[0] = 1;
      value = all;
    });
    ao::async([] { bytes[3] = 2; });  // RACE(a): write
  });
}
