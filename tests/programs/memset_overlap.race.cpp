// memset of parts that overlap in one byte.
#include <cstring>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

char buffer[200];
std::size_t length = 101;

int main() {
  ao::finish([] {
    ao::async([] { std::memset(buffer, 1, length); });            // RACE(a): write
    ao::async([] { std::memset(buffer + 100, 2, length - 1); });  // RACE(a): write
  });
}
